import { liveCase, now, pause } from "../contract.ts";
import { segmentsOf, sendJson } from "../http.ts";
import { answersOrdinary, browse, clientOf } from "../ordinary.ts";

/** Queries need one of a few database connections; requests beyond them wait for one. */
export const live = liveCase({
  story: "The service has a pool of a few database connections, and a burst of requests waits for them.",
  draw: (draw) => {
    const [chart = "", path = "", ...others] = draw.words(5);
    return {
      chart,
      path,
      others,
      connections: draw.int(2, 3),
      query: draw.real(55, 90),
      burst: draw.int(10, 14),
      bursts: draw.int(6, 8),
    };
  },
  causes: ({ chart, path }) => [
    {
      name: "pool",
      accepts: [{ kind: "one-at-a-time" }, { kind: "slow-when", attribute: "in-flight" }],
      at: ["app", `GET /${chart}/*`, `GET /${path}/*`],
    },
  ],
  service: async ({ connections, query, others }, run) => {
    let free = run.isOn("pool") ? connections : 64;
    const waiting: (() => void)[] = [];
    const connection = async (): Promise<void> => {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    };
    const release = (): void => {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    };
    await run.serve("app", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      const [name = "", id = ""] = segmentsOf(request);
      const since = now();
      await connection();
      if (now() - since > 5) run.added("pool", since, now(), clientOf(request));
      await run.work(query, 0.15);
      release();
      sendJson(response, { [name]: id, text: run.random.text(300) });
    });
  },
  client: async ({ chart, path, burst, bursts, others }, run) => {
    const wall = run.actor("wall", { userAgent: "wall/4.0", sockets: 32, address: "127.0.0.50" });
    const user = run.actor("user", { userAgent: "app/4.1", address: "127.0.0.51" });
    let isOver = false;
    const showing = (async () => {
      for (let count = 0; count < bursts; count += 1) {
        await Promise.all(
          Array.from({ length: burst }, (_, index) => wall.ask("GET", "app", `/${chart}/${count * 50 + index}`)),
        );
        await pause(run.random.real(700, 1_200));
      }
      isOver = true;
    })();
    const using = (async () => {
      for (let id = 900; !isOver; id += 1) {
        await pause(run.random.real(150, 600));
        await user.ask("GET", "app", `/${path}/${id}`);
      }
    })();
    await Promise.all([browse(run, "app", others, 20), showing, using]);
  },
});
