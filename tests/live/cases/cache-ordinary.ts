import { liveCase, pause } from "../contract.ts";
import { segmentsOf, sendJson } from "../http.ts";

/** A cache of the least recently used items, in front of a store that is hardly slower. */
export const live = liveCase({
  story: "A cache hits and misses as it should; a miss costs a few ms more, well below the noise.",
  draw: (draw) => {
    const [name = ""] = draw.words(1);
    return {
      name,
      items: draw.int(40, 60),
      kept: draw.int(24, 32),
      requests: draw.int(140, 180),
      usual: draw.real(20, 35),
    };
  },
  causes: () => [],
  service: async ({ kept, usual }, run) => {
    const cache = new Map<string, string>();
    await run.serve("shop", async (request, response) => {
      const [, id = ""] = segmentsOf(request);
      await run.work(usual, 0.45);
      const known = cache.get(id);
      cache.delete(id);
      if (known === undefined) await pause(2);
      const value = known ?? run.random.text(80);
      cache.set(id, value);
      const [oldest] = cache.keys();
      if (cache.size > kept && oldest !== undefined) cache.delete(oldest);
      sendJson(response, { id, value, at: Date.now() }, { "X-Cache": known === undefined ? "MISS" : "HIT" });
    });
  },
  client: async ({ name, items, requests }, run) => {
    // Eight visitors, each of whom sees an item once; some items are far more popular than others.
    const visitors = Array.from({ length: 8 }, (_, index) =>
      run.actor(`visitor ${index}`, { address: `127.0.0.${10 + index}`, userAgent: "browser/9" }),
    );
    await Promise.all(
      visitors.map(async (visitor, index) => {
        const seen = new Set<number>();
        await pause(index * run.random.real(200, 500));
        while (seen.size < Math.floor(requests / visitors.length)) {
          const id = Math.floor(items * run.random.real(0, 1) ** 2);
          if (seen.has(id)) continue;
          seen.add(id);
          await visitor.ask("GET", "shop", `/${name}/${500 + id}`);
          await pause(run.random.real(150, 500));
        }
      }),
    );
  },
});
