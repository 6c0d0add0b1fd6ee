import { type Actor, liveCase, now, pause } from "../contract.ts";

/**
 * A page of another origin searches by POST: the service's preflight answers may not be kept, and SQLite reads and
 * drops all rows before a deep page. The true cost is each client's preflights after its first, and the queries of all
 * but the first page; without the causes, preflights hold for two hours and a page is found by its key.
 */
export const live = liveCase({
  story: "Every search of an app on another origin pays a preflight; and pages far behind read all rows before them.",
  draw: (draw) => {
    const [orders = "", offset = "", filter = "", site = ""] = draw.words(4);
    return {
      orders,
      offset,
      filter,
      site,
      rows: draw.int(180_000, 240_000),
      usual: draw.int(25, 45),
      middleware: draw.int(40, 70),
      people: draw.int(2, 3),
      searches: draw.int(18, 22),
      deep: draw.real(0.35, 0.5),
    };
  },
  causes: ({ orders, offset }) => [
    {
      name: "preflight",
      accepts: [{ kind: "cors-preflights" }],
      at: [`OPTIONS /${orders}/search`, `POST /${orders}/search`],
    },
    {
      name: "offset",
      accepts: [{ kind: "slow-when", attribute: `body:${offset}` }],
      at: [`POST /${orders}/search`],
    },
  ],
  service: { python: "b3-orders-app.py" },
  client: async ({ orders, offset, filter, site, rows, people, searches, deep }, run) => {
    const work = async (name: string, address: string): Promise<void> => {
      const browser = run.actor(name, { userAgent: `browser/131 (${name})`, address });
      const ask = askFrom(browser, `${run.scheme}://${site}.example`);
      const state = run.random.pick(["open", "paid", "sent"]);
      for (let count = 0; count < searches; count += 1) {
        await pause(run.random.real(310, 620));
        const page = run.random.chance(deep) ? run.random.int(300, Math.floor(rows / 25) - 1) : run.random.int(0, 4);
        await ask(`/${orders}/search`, { [filter]: state, [offset]: page * 25 });
      }
    };
    await Promise.all(run.random.words(people).map((name, index) => work(name, `127.0.0.${11 + index}`)));
  },
});

/** Posts as a browser does to another origin: a preflight is kept as long as its answer allows. */
function askFrom(browser: Actor, origin: string): (path: string, value: object) => Promise<void> {
  const kept = new Map<string, number>();
  return async (path, value) => {
    if ((kept.get(path) ?? 0) <= now()) {
      const preflight = await browser.ask("OPTIONS", "api", path, {
        headers: {
          Origin: origin,
          "Access-Control-Request-Method": "POST",
          "Access-Control-Request-Headers": "authorization,content-type",
        },
      });
      kept.set(path, now() + Number(preflight.headers["access-control-max-age"]) * 1_000);
    }
    await browser.ask("POST", "api", path, {
      body: JSON.stringify(value),
      headers: { Origin: origin, Authorization: "Bearer staff", "Content-Type": "application/json" },
    });
  };
}
