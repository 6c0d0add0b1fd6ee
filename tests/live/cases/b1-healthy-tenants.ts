import { liveCase, pause } from "../contract.ts";
import { segmentsOf, sendJson } from "../http.ts";

export const live = liveCase({
  story:
    "Users of several tenants browse a service with a shared cache, a trial without effect, file downloads and rare slow answers by chance; nothing is wrong.",
  draw: (draw) => {
    const [items = "", searches = "", files = "", trial = "", header = "", ...tenants] = draw.words(10);
    return {
      items,
      searches,
      files,
      trial,
      header: `x-${header}`,
      tenants,
      usual: draw.real(25, 60),
      users: draw.int(7, 9),
      turns: draw.int(16, 20),
      rare: draw.real(0.015, 0.03),
    };
  },
  causes: () => [],
  service: async ({ items, files, usual, rare }, run) => {
    const cached = new Map<string, number>();
    const archive = Buffer.from(run.random.text(160_000));
    await run.serve("api", async (request, response) => {
      const [place = "", id = ""] = segmentsOf(request);
      // Garbage collection, another process's backup: it meets anyone.
      await run.work(run.random.chance(rare) ? usual * 3 : usual, 0.4);
      if (place === files) {
        response.writeHead(200, {
          "Content-Type": "application/zip",
          "Content-Disposition": `attachment; filename="${id}.zip"`,
          "Content-Length": archive.length,
        });
        response.end(archive);
        return;
      }
      const isHit = cached.has(id);
      if (place === items && !isHit) {
        cached.set(id, run.random.int(1, 1_000_000));
        await run.work(4);
      }
      sendJson(
        response,
        { id, value: cached.get(id) ?? run.random.int(1, 1_000_000), text: run.random.text(run.random.int(50, 900)) },
        place === items ? { "X-Cache": isHit ? "HIT" : "MISS" } : {},
      );
    });
  },
  client: async ({ items, searches, files, trial, header, tenants, users, turns }, run) => {
    await Promise.all(
      Array.from({ length: users }, async (_, user) => {
        const agent = run.actor(`user ${user}`, { userAgent: `app/${user + 1}.2`, address: `127.0.0.${user + 2}` });
        const headers = {
          [header]: tenants[user % tenants.length] ?? "",
          Cookie: `${trial}=${run.random.pick(["a", "b"])}`,
        };
        const ids = run.random.shuffled(Array.from({ length: 40 }, (__, index) => 1_000 + index * 7));
        await pause(run.random.real(0, 500));
        for (let count = 0; count < turns; count += 1) {
          const drawn = run.random.real(0, 1);
          let path = `/${files}/${run.random.int(10_000, 99_999)}`;
          if (drawn < 0.6) path = `/${items}/${ids[count]}`;
          else if (drawn < 0.9) path = `/${searches}?q=${run.random.text(4)}&page=${run.random.int(1, 3)}`;
          await agent.ask("GET", "api", path, { headers });
          await pause(run.random.real(320, 700));
        }
      }),
    );
  },
});
