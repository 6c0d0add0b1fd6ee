import { Agent, createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { type ClientRun, liveCase, now, pause } from "../contract.ts";
import { segmentsOf, sendJson } from "../http.ts";
import { browse, clientOf } from "../ordinary.ts";

/**
 * All parts of a product page come from an old host behind the service, over one connection that carries one call at a
 * time. The true cost is the waiting for that connection, as the service's agent sees it; without the cause, there are
 * 32 connections.
 */
export const live = liveCase({
  story: "The service has one connection to the host behind it, so that the parts of a page wait for each other there.",
  draw: (draw) => {
    const names = draw.words(8);
    return {
      parts: names.slice(0, 5),
      others: names.slice(5),
      call: draw.int(36, 64),
      shoppers: 2,
      pages: draw.int(12, 15),
    };
  },
  causes: ({ parts }) => [
    {
      name: "link",
      accepts: [{ kind: "one-at-a-time" }],
      at: ["api", ...parts.map((name) => `GET /${name}/*`)],
    },
  ],
  service: async ({ parts, others, call }, run) => {
    const host = createServer(async (request, response) => {
      await run.work(call, 0.1);
      sendJson(response, { of: request.url, value: run.random.text(140) });
    });
    host.keepAliveTimeout = 120_000;
    await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
    const agent = new Agent({ keepAlive: true, maxSockets: run.isOn("link") ? 1 : 32 });
    const { port } = host.address() as AddressInfo;
    /** Calls the host behind, and logs how long the call waited for a connection. */
    const behind = (path: string, client: string): Promise<object> =>
      new Promise((resolve, reject) => {
        const since = now();
        const calling = get({ port, path, agent }, async (answer) => {
          const chunks: Buffer[] = [];
          for await (const chunk of answer) chunks.push(chunk as Buffer);
          resolve(JSON.parse(Buffer.concat(chunks).toString()));
        });
        calling.once("socket", () => {
          if (run.isOn("link") && now() - since > 2) run.added("link", since, now(), client);
        });
        calling.once("error", reject);
      });
    await run.serve("api", async (request, response) => {
      const [name = "", id = ""] = segmentsOf(request);
      if (parts.includes(name)) return sendJson(response, await behind(`/${name}/${id}`, clientOf(request)));
      await run.work(14 + 10 * others.indexOf(name), 0.4);
      sendJson(response, { [name]: id, note: run.random.text(150) });
    });
  },
  client: async ({ parts, others, shoppers, pages }, run) => {
    const names = run.random.words(shoppers);
    const shopping = names.map((name, index) => shop(run, { name, address: `127.0.0.${71 + index}`, parts, pages }));
    await Promise.all([...shopping, browse(run, "api", others, 28)]);
  },
});

interface Shopper {
  readonly name: string;
  readonly address: string;
  readonly parts: readonly string[];
  readonly pages: number;
}

/** Opens page after page; all parts of a page are asked for at once. */
async function shop(run: ClientRun, { name, address, parts, pages }: Shopper): Promise<void> {
  const app = run.actor(name, { userAgent: `page-server/2 (${name})`, address, sockets: 16 });
  const steps = Array.from({ length: pages }, () => ({
    product: run.random.int(100_000, 999_999),
    order: run.random.shuffled(parts),
    gap: run.random.real(380, 900),
  }));
  for (const { product, order, gap } of steps) {
    await pause(gap);
    await Promise.all(order.map((part) => app.ask("GET", "api", `/${part}/${product}`)));
  }
}
