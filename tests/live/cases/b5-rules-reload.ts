import { liveCase } from "../contract.ts";
import { arrivals } from "../ordinary.ts";

/**
 * A service reads its rules anew from time to time, under the write side of a lock whose read side each request holds.
 * The true cost is the requests' waiting for that lock; without the cause, the new rules are read beside and put in
 * place at once.
 */
export const live = liveCase({
  story: "All requests wait for a lock while the service reads its rules anew, again and again.",
  draw: (draw) => {
    const names = draw.words(3);
    return {
      names,
      usual: draw.int(18, 30),
      reading: draw.int(280, 460),
      every: draw.int(1_300, 1_900),
      users: draw.int(5, 6),
      requests: draw.int(46, 54),
    };
  },
  causes: ({ names }) => [
    {
      name: "reload",
      accepts: [{ kind: "server-pauses" }],
      at: ["api", ...names.map((name) => `GET /${name}/*`)],
    },
  ],
  service: { python: "b5-rules-reload.py" },
  client: async ({ names, users, requests }, run) => {
    const use = (name: string, index: number): Promise<void> => {
      const app = run.actor(name, { userAgent: `checkout/${name}`, address: `127.0.0.${111 + index}` });
      const paths = Array.from(
        { length: requests },
        () => `/${run.random.pick(names)}/${run.random.int(10_000, 99_999)}`,
      );
      return arrivals(run.random, requests, 215, (at) => app.ask("GET", "api", paths[at] ?? ""));
    };
    await Promise.all(run.random.words(users).map(use));
  },
});
