import { liveCase, pause } from "../contract.ts";
import { arrivals, browse } from "../ordinary.ts";

export const live = liveCase({
  story: "Searches wait while an import locks the database; and those of one shop scan a table without an index.",
  draw: (draw) => {
    const [path = "", imports = "", slow = "", ...rest] = draw.words(13);
    return {
      path,
      imports,
      slow,
      others: rest.slice(0, 2),
      shops: draw.shuffled([slow, ...rest.slice(2)]),
      held: draw.int(600, 900),
      every: draw.int(2_000, 2_600),
      rows: draw.int(40_000, 55_000),
      articles: draw.int(12, 18),
      share: draw.real(0.15, 0.22),
      requests: draw.int(120, 140),
      saves: 5,
    };
  },
  causes: ({ path, imports, slow }) => [
    {
      name: "lock",
      accepts: [{ kind: "slow-when", attribute: `while:POST /${imports}` }],
      at: [`POST /${path}`],
    },
    { name: "shop", accepts: [{ kind: "slow-when", attribute: "body:shop", value: slow }], at: [`POST /${path}`] },
  ],
  admits: ({ imports }) => [{ accepts: [{ kind: "slow-server" }], at: [`POST /${imports}`] }],
  service: { python: "import-and-shop.py" },
  client: async ({ path, imports, slow, shops, articles, share, requests, every, saves, others }, run) => {
    const headers = { "Content-Type": "application/json" };
    const importer = run.actor("importer", { userAgent: "import/1.0", address: "127.0.0.70" });
    const tills = [0, 1, 2].map((index) =>
      run.actor(`till ${index}`, { userAgent: `till/3.${index}`, address: `127.0.0.${71 + index}` }),
    );
    const importing = (async () => {
      for (let count = 0; count < saves; count += 1) {
        await pause(run.random.real(0.8, 1.2) * every);
        const body = JSON.stringify({ article: run.random.int(1, 500), file: run.random.text(300) });
        await importer.ask("POST", "stock", `/${imports}`, { body, headers });
      }
    })();
    const calm = shops.filter((shop) => shop !== slow);
    await Promise.all([
      browse(run, "stock", others, 22),
      importing,
      ...tills.map((till) =>
        arrivals(run.random, Math.ceil(requests / 3), 270, () => {
          const shop = run.random.chance(share) ? slow : run.random.pick(calm);
          const wanted = Array.from({ length: articles }, () => run.random.int(1, 599));
          return till.ask("POST", "stock", `/${path}`, { body: JSON.stringify({ shop, articles: wanted }), headers });
        }),
      ),
    ]);
  },
});
