import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { liveCase, now, pause } from "../contract.ts";
import { bodyOf, sendJson } from "../http.ts";
import { answersOrdinary, arrivals, browse, clientOf } from "../ordinary.ts";

/** Quotes for most regions are computed in the service; those of one region come from an old system by HTTP. */
export const live = liveCase({
  story: "Quotes for one region, a field of the JSON body, are asked of a slow old system.",
  draw: (draw) => {
    const [path = "", field = "", group = "", slow = "", ...rest] = draw.words(14);
    return {
      path,
      field,
      group,
      slow,
      others: rest.slice(0, 3),
      regions: rest.slice(3),
      isNested: draw.chance(0.5),
      usual: draw.real(18, 30),
      old: draw.real(130, 240),
      share: draw.real(0.15, 0.3),
      requests: draw.int(100, 130),
    };
  },
  causes: ({ path, field, group, slow }) => [
    {
      name: "region",
      accepts: [`body:${field}`, `body:${group}.${field}`].map((attribute) => ({
        kind: "slow-when",
        attribute,
        value: slow,
      })),
      at: [`POST /${path}`],
    },
  ],
  service: async ({ path, field, group, slow, usual, old, others }, run) => {
    const oldSystem = createServer(async (_, response) => {
      await run.work(old, 0.2);
      response.end("{}");
    });
    await new Promise<void>((resolve) => oldSystem.listen(0, "127.0.0.1", resolve));
    const { port } = oldSystem.address() as AddressInfo;
    await run.serve("quotes", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      const body = JSON.parse((await bodyOf(request)).toString());
      const region = (body[group] ?? body)[field];
      await run.work(usual, 0.35);
      const since = now();
      if (region === slow && run.isOn("region")) {
        await new Promise((resolve) => {
          send({ host: "127.0.0.1", port }, (answer) => answer.resume().on("end", resolve)).end();
        });
        run.added("region", since, now(), clientOf(request));
      }
      sendJson(response, { [path]: region, price: run.random.real(1, 99), at: now() });
    });
  },
  client: async ({ path, field, group, slow, regions, share, requests, isNested, others }, run) => {
    const agents = ["web/3.1", "app/8.0", "web/3.0", "kiosk/1.2"].map((userAgent) =>
      run.actor(userAgent, { userAgent }),
    );
    const bodies = Array.from({ length: requests }, () => {
      const region = { [field]: run.random.chance(share) ? slow : run.random.pick(regions) };
      const weight = run.random.int(1, 400) / 10;
      return JSON.stringify(isNested ? { weight, [group]: region } : { weight, ...region });
    });
    await Promise.all([
      browse(run, "quotes", others, 24),
      ...agents.map(async (agent, mine) => {
        await pause(mine * 50);
        const own = bodies.filter((_, index) => index % agents.length === mine);
        await arrivals(run.random, own.length, 400, (index) =>
          agent.ask("POST", "quotes", `/${path}`, {
            body: own[index] ?? "",
            headers: { "Content-Type": "application/json" },
          }),
        );
      }),
    ]);
  },
});
