import { request as send } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { liveCase, now } from "../contract.ts";
import { segmentsOf, sendJson } from "../http.ts";
import { answersOrdinary, arrivals, browse, clientOf } from "../ordinary.ts";

/** One of the replicas of a backend accepts connections and never answers; after a time-out the next one is asked. */
export const live = liveCase({
  story: "For some calls the service waits for a dead replica until its time-out, then asks another one.",
  draw: (draw) => {
    const [path = "", ...others] = draw.words(4);
    return {
      path,
      others,
      limit: draw.int(600, 1_000),
      share: draw.real(0.09, 0.14),
      usual: draw.real(20, 45),
      requests: draw.int(110, 140),
    };
  },
  causes: ({ path }) => [
    { name: "time-out", accepts: [{ kind: "slow-when", attribute: null }], at: [`GET /${path}/*`] },
  ],
  service: async ({ path, limit, share, usual, others }, run) => {
    const dead = createServer((socket) => socket.on("error", () => socket.destroy()).resume());
    await new Promise<void>((resolve) => dead.listen(0, "127.0.0.1", resolve));
    const { port } = dead.address() as AddressInfo;
    const askDead = () =>
      new Promise<void>((resolve) => {
        const sent = send({ host: "127.0.0.1", port, timeout: limit }, () => {});
        sent.on("timeout", () => sent.destroy());
        sent.on("error", () => resolve());
        sent.end();
      });
    await run.serve("api", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      const [, id = ""] = segmentsOf(request);
      await run.work(usual, 0.3);
      if (run.random.chance(share) && run.isOn("time-out")) {
        const since = now();
        await askDead();
        run.added("time-out", since, now(), clientOf(request));
      }
      sendJson(response, { [path]: id, text: run.random.text(100) });
    });
  },
  client: async ({ path, requests, others }, run) => {
    const ids = run.random.shuffled(Array.from({ length: 500 }, (_, index) => index + 200));
    const users = [0, 1, 2, 3, 4].map((index) => run.actor(`user ${index}`, { userAgent: `crm/${index}.5` }));
    await Promise.all([
      browse(run, "api", others, 24),
      ...users.map((user, mine) =>
        arrivals(run.random, Math.ceil(requests / users.length), 440, (index) =>
          user.ask("GET", "api", `/${path}/${ids[index * users.length + mine]}`),
        ),
      ),
    ]);
  },
});
