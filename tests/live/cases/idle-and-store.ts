import { type Answer, liveCase, now, pause } from "../contract.ts";
import { segmentsOf, sendJson, targetOf } from "../http.ts";
import { answersOrdinary, browse, clientOf } from "../ordinary.ts";

/** The database's connection is closed after a while without use, and the next request pays for a new session. */
export const live = liveCase({
  story: "The first request after a quiet time opens a database session; and one store is kept on a slow disk.",
  draw: (draw) => {
    const [path = "", field = "", slow = "", ...rest] = draw.words(13);
    return {
      path,
      field,
      slow,
      others: rest.slice(0, 3),
      stores: rest.slice(3),
      open: draw.real(240, 380),
      disk: draw.real(120, 190),
      share: draw.real(0.18, 0.28),
      usual: draw.real(16, 28),
      visits: draw.int(7, 8),
      calls: draw.int(9, 13),
    };
  },
  causes: ({ path, field, slow }) => [
    { name: "idle", accepts: [{ kind: "slow-when", attribute: "after-idle" }], at: [`GET /${path}/*`] },
    {
      name: "store",
      accepts: [{ kind: "slow-when", attribute: `query:${field}`, value: slow }],
      at: [`GET /${path}/*`],
    },
  ],
  service: async ({ path, field, slow, open, disk, usual, others }, run) => {
    let usedAt = 0;
    await run.serve("api", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      const [, id = ""] = segmentsOf(request);
      const store = targetOf(request).searchParams.get(field);
      let since = now();
      if (since - usedAt > 1_000 && run.isOn("idle")) {
        await run.work(open, 0.15);
        run.added("idle", since, now(), clientOf(request));
      }
      await run.work(usual, 0.3);
      since = now();
      if (store === slow && run.isOn("store")) {
        await run.work(disk, 0.2);
        run.added("store", since, now(), clientOf(request));
      }
      usedAt = now();
      sendJson(response, { [path]: id, next: `n${run.random.text(8)}`, text: run.random.text(100) });
    });
  },
  client: async ({ path, field, slow, stores, share, visits, calls, others }, run) => {
    const user = run.actor("user", { userAgent: "stores/2.6" });
    const visiting = (async () => {
      for (let visit = 0; visit < visits; visit += 1) {
        let last: Answer | null = null;
        for (let call = 0; call < calls; call += 1) {
          const store = run.random.chance(share) ? slow : run.random.pick(stores);
          const url: string = `/${path}/${last?.json().next ?? `v${visit}`}?${field}=${store}`;
          last = await user.ask("GET", "api", url, { needs: last === null ? [] : [last] });
          await pause(run.random.real(5, 25));
        }
        await pause(run.random.real(1_300, 1_900));
      }
    })();
    // These endpoints do not use the database.
    await Promise.all([browse(run, "api", others, 26), visiting]);
  },
});
