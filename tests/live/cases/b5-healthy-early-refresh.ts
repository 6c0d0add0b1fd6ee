import { type ClientRun, liveCase, now, pause } from "../contract.ts";
import { segmentsOf, sendJson } from "../http.ts";
import { clientOf } from "../ordinary.ts";

/**
 * Nothing is wrong: a cache renews its entries early and at random, so that no entry ends for all at once (XFetch,
 * Vattani et al. 2015). A renewal is an ordinary computation; latencies of both overlap, and they vary much.
 */
export const live = liveCase({
  story: "Healthy: a warm cache renews entries at random before they end; latencies vary, and no request is to blame.",
  draw: (draw) => {
    const [quotes = "", reviews = "", region = ""] = draw.words(3);
    return {
      quotes,
      reviews,
      region,
      hit: draw.int(26, 38),
      computed: draw.real(1.7, 2.4),
      beta: draw.real(0.9, 1.3),
      life: draw.int(4_000, 7_000),
      users: draw.int(4, 5),
      requests: draw.int(38, 46),
    };
  },
  causes: () => [],
  service: async ({ quotes, hit, computed, beta, life }, run) => {
    const entries = new Map<string, { value: string; cost: number; ends: number }>();
    const compute = async (key: string): Promise<string> => {
      const since = now();
      await run.work(hit * computed, 0.5);
      const value = run.random.text(220);
      const cost = now() - since;
      // Early by the cost of a computation, times an exponential draw.
      entries.set(key, { value, cost, ends: now() + run.random.real(0.6, 1.4) * life });
      return value;
    };
    // As after a long time: entries are of all ages.
    for (let id = 100; id < 110; id += 1)
      for (const name of [quotes, "other"])
        entries.set(`${name} ${id}`, {
          value: run.random.text(220),
          cost: 80,
          ends: now() + run.random.real(0, 1) * life,
        });
    await run.serve("api", async (request, response) => {
      const [name = "", id = ""] = segmentsOf(request);
      const key = `${name === quotes ? quotes : "other"} ${id}`;
      await run.work(hit, 0.55);
      const entry = entries.get(key);
      const early = (entry?.cost ?? 0) * beta * -Math.log(1 - run.random.real(0, 1));
      const value = entry === undefined || now() + early >= entry.ends ? await compute(key) : entry.value;
      sendJson(response, { [name]: id, value, for: clientOf(request).length, at: now() });
    });
  },
  client: async ({ quotes, reviews, region, users, requests }, run) => {
    const names = run.random.words(users);
    await Promise.all(
      names.map((name, index) => use(run, { name, index, requests, paths: [quotes, reviews], region })),
    );
  },
});

interface User {
  readonly name: string;
  readonly index: number;
  readonly requests: number;
  readonly paths: readonly string[];
  readonly region: string;
}

async function use(run: ClientRun, { name, index, requests, paths, region }: User): Promise<void> {
  const app = run.actor(name, { userAgent: `market-app/9.${index} (${name})`, address: `127.0.0.${121 + index}` });
  const steps = Array.from({ length: requests }, () => ({
    path: `/${run.random.pick(paths)}/${run.random.int(100, 109)}?${region}=${run.random.pick(["eu", "us", "asia"])}`,
    gap: -Math.log(1 - run.random.real(0, 1)) * 160,
  }));
  for (const { path, gap } of steps) {
    await pause(gap);
    await app.ask("GET", "api", path);
  }
}
