import { once } from "node:events";
import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { liveCase, now, pause } from "../contract.ts";
import { bodyOf, sendJson } from "../http.ts";

/** The customer's own server is a real one, called by the service and not seen by Weir. */
export const live = liveCase({
  story: "One workspace has a webhook; the service calls the customer's slow server before it answers an order.",
  draw: (draw) => {
    const [orders = "", receipts = "", header = "", field = "", ...spaces] = draw.words(9);
    return {
      orders,
      receipts,
      header: `x-${header}`,
      field,
      spaces,
      hook: draw.real(150, 380),
      usual: draw.real(22, 45),
      users: draw.int(4, 5),
      turns: draw.int(14, 17),
    };
  },
  causes: ({ orders, header, spaces }) => [
    {
      name: "webhook",
      accepts: [{ kind: "slow-when", attribute: `request-header:${header}`, value: spaces[0] ?? "" }],
      at: [`POST /${orders}`],
    },
  ],
  service: async ({ orders, header, spaces, hook, usual }, run) => {
    const customer = createServer(async (request, response) => {
      await bodyOf(request);
      await run.work(hook, 0.25);
      response.writeHead(204).end();
    }).listen(0, "127.0.0.1");
    await once(customer, "listening");
    const { port } = customer.address() as AddressInfo;
    const deliver = async (body: Buffer): Promise<void> => {
      const delivery = send({ port, host: "127.0.0.1", method: "POST", path: "/incoming" });
      delivery.end(body);
      const [answer] = await once(delivery, "response");
      answer.resume();
    };
    let number = run.random.int(100_000, 900_000);
    await run.serve("api", async (request, response) => {
      const body = await bodyOf(request);
      await run.work(usual, 0.35);
      if (request.method === "POST" && request.url === `/${orders}`) {
        if (request.headers[header] === spaces[0]) {
          const from = now();
          const delivered = deliver(body);
          if (run.isOn("webhook")) {
            await delivered;
            run.added("webhook", from, now(), request.headers["user-agent"] ?? "");
          }
        }
        number += run.random.int(3, 60);
        return sendJson(response, { number: `N${number}`, state: "placed" });
      }
      sendJson(response, { text: run.random.text(200) });
    });
  },
  client: async ({ orders, receipts, header, field, spaces, users, turns }, run) => {
    await Promise.all(
      Array.from({ length: users }, async (_, user) => {
        const agent = run.actor(`clerk ${user}`, { userAgent: `till/${user + 1}.0`, address: `127.0.0.${user + 2}` });
        // Drawn before, so that the order of answers changes nothing.
        const asked = Array.from({ length: turns }, () => ({
          space: run.random.pick(spaces.slice(0, 4)),
          hasReceipt: run.random.chance(0.4),
        }));
        await pause(run.random.real(0, 400));
        for (const { space, hasReceipt } of asked) {
          const headers = {
            "Content-Type": "application/json",
            [header]: space,
            "x-request-id": run.random.text(16),
          };
          const body = JSON.stringify({
            [field]: run.random.pick(["card", "cash", "voucher"]),
            lines: run.random.int(1, 9),
            note: run.random.text(run.random.int(10, 80)),
          });
          const placed = await agent.ask("POST", "api", `/${orders}`, { body, headers });
          if (hasReceipt) await agent.ask("GET", "api", `/${receipts}/${placed.json().number}`, { needs: [placed] });
          await pause(run.random.real(320, 560));
        }
      }),
    );
  },
});
