import { request as send } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { liveCase, now } from "../contract.ts";
import { segmentsOf, sendJson } from "../http.ts";
import { answersOrdinary, arrivals, browse, clientOf } from "../ordinary.ts";

export const live = liveCase({
  story: "The first request for each item computes it; and some requests wait for a service that does not answer.",
  draw: (draw) => {
    const [path = "", ...others] = draw.words(4);
    return {
      path,
      others,
      items: draw.int(24, 32),
      compute: draw.real(140, 210),
      limit: draw.int(800, 1_100),
      share: draw.real(0.07, 0.11),
      users: draw.int(5, 6),
      each: draw.int(22, 26),
    };
  },
  causes: ({ path }) => [
    { name: "cold", accepts: [{ kind: "slow-when", attribute: "first-use" }], at: [`GET /${path}/*`] },
    { name: "time-out", accepts: [{ kind: "slow-when", attribute: null }], at: [`GET /${path}/*`] },
  ],
  service: async ({ path, items, compute, limit, share, others }, run) => {
    const dead = createServer((socket) => socket.on("error", () => socket.destroy()).resume());
    await new Promise<void>((resolve) => dead.listen(0, "127.0.0.1", resolve));
    const { port } = dead.address() as AddressInfo;
    const ratings = () =>
      new Promise<void>((resolve) => {
        const sent = send({ host: "127.0.0.1", port, timeout: limit });
        sent.on("timeout", () => sent.destroy());
        sent.on("error", () => resolve());
        sent.end();
      });
    const kept = new Map<string, string>();
    if (!run.isOn("cold")) for (let id = 0; id < items; id += 1) kept.set(String(500 + id * 23), run.random.text(300));
    await run.serve("api", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      const [, id = ""] = segmentsOf(request);
      await run.work(16, 0.35);
      let since = now();
      if (!kept.has(id)) {
        await run.work(compute, 0.2);
        kept.set(id, run.random.text(300));
        run.added("cold", since, now(), clientOf(request));
      }
      since = now();
      const hasRatings = !(run.random.chance(share) && run.isOn("time-out"));
      if (!hasRatings) {
        await ratings();
        run.added("time-out", since, now(), clientOf(request));
      }
      sendJson(response, { [path]: id, text: kept.get(id), hasRatings, at: now() });
    });
  },
  client: async ({ path, items, users, each, others }, run) => {
    const looking = Array.from({ length: users }, (_, index) => {
      const user = run.actor(`user ${index}`, { userAgent: `market/${index}.3`, address: `127.0.0.${80 + index}` });
      const seen = new Set<number>();
      while (seen.size < Math.min(each, items - 4)) seen.add(Math.floor(items * run.random.real(0, 1) ** 1.4));
      const ids = [...seen].map((id) => 500 + id * 23);
      return arrivals(run.random, ids.length, 420, (count) => user.ask("GET", "api", `/${path}/${ids[count]}`));
    });
    await Promise.all([browse(run, "api", others, 24), ...looking]);
  },
});
