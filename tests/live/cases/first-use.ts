import { liveCase, now } from "../contract.ts";
import { segmentsOf } from "../http.ts";
import { answersOrdinary, arrivals, browse, clientOf } from "../ordinary.ts";

/** Thumbnails are made when somebody asks for them first, and kept. */
export const live = liveCase({
  story: "The first request for each item renders it, and later ones are answered from a cache.",
  draw: (draw) => {
    const [path = "", ...others] = draw.words(4);
    return {
      path,
      others,
      items: draw.int(26, 38),
      render: draw.real(140, 260),
      users: draw.int(4, 6),
      requests: draw.int(150, 190),
      skew: draw.real(1.2, 1.8),
    };
  },
  causes: ({ path }) => [
    { name: "cold", accepts: [{ kind: "slow-when", attribute: "first-use" }], at: [`GET /${path}/*`] },
  ],
  service: async ({ path, items, render, others }, run) => {
    const kept = new Map<string, string>();
    const make = (id: string) =>
      `<svg xmlns="http://www.w3.org/2000/svg"><desc>${id}${run.random.text(900)}</desc></svg>`;
    if (!run.isOn("cold")) for (let id = 0; id < items; id += 1) kept.set(String(3_000 + id * 17), make(path));
    await run.serve("img", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      const [, id = ""] = segmentsOf(request);
      await run.work(14, 0.4);
      if (!kept.has(id)) {
        const since = now();
        await run.work(render, 0.25);
        kept.set(id, kept.get(id) ?? make(id));
        run.added("cold", since, now(), clientOf(request));
      }
      response.writeHead(200, { "Content-Type": "image/svg+xml", "Cache-Control": "no-store" }).end(kept.get(id));
    });
  },
  client: async ({ path, items, users, requests, skew, others }, run) => {
    const each = Math.ceil(requests / users);
    const looking = Array.from({ length: users }, (_, index) => {
      const user = run.actor(`user ${index}`, { userAgent: `gallery/${index}.7`, address: `127.0.0.${40 + index}` });
      // Each user sees an item once; some items are far more popular than others.
      const seen = new Set<number>();
      while (seen.size < Math.min(each, items)) seen.add(Math.floor(items * run.random.real(0, 1) ** skew));
      const ids = [...seen].map((id) => 3_000 + id * 17);
      return arrivals(run.random, ids.length, 380, (count) => user.ask("GET", "img", `/${path}/${ids[count]}`));
    });
    await Promise.all([browse(run, "img", others, 24), ...looking]);
  },
});
