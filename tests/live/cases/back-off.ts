import { type Answer, liveCase, now, pause } from "../contract.ts";
import { segmentsOf, sendJson } from "../http.ts";
import { answersOrdinary, browse, clientOf } from "../ordinary.ts";

/** A worker process of the service restarts now and then, and what it had to answer fails until it is up again. */
export const live = liveCase({
  story: "Some requests fail with 503 for a while, and the client sends them again with back-off.",
  draw: (draw) => {
    const [path = "", ...others] = draw.words(4);
    return {
      path,
      others,
      status: draw.pick([500, 502, 503]),
      share: draw.real(0.1, 0.18),
      down: draw.int(300, 900),
      first: draw.int(120, 250),
      usual: draw.real(20, 45),
      calls: draw.int(80, 100),
      think: draw.int(6, 16),
    };
  },
  causes: ({ path }) => [{ name: "failing", accepts: [{ kind: "retries" }], at: [`GET /${path}/*`] }],
  service: async ({ path, status, share, down, usual, others }, run) => {
    const failing = new Map<string, { since: number; until: number }>();
    await run.serve("api", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      const [, id = ""] = segmentsOf(request);
      const since = now();
      if (!failing.has(id)) {
        const isDown = run.isOn("failing") && run.random.chance(share);
        failing.set(id, { since, until: isDown ? since + down * run.random.real(0.6, 1.4) : 0 });
      }
      const { since: failed = 0, until = 0 } = failing.get(id) ?? {};
      if (since < until) {
        await run.work(usual, 0.3);
        response.writeHead(status).end();
        return;
      }
      if (until > 0) run.added("failing", failed, since, clientOf(request));
      await run.work(usual, 0.3);
      sendJson(response, { [path]: id, next: `n${run.random.text(8)}`, text: run.random.text(90) });
    });
  },
  client: async ({ path, first, calls, think, others }, run) => {
    const job = run.actor("job", { userAgent: "nightly/5.2" });
    const working = (async () => {
      let last: Answer | null = null;
      for (let call = 0; call < calls; call += 1) {
        const url: string = `/${path}/${last?.json().next ?? "first"}`;
        const needs: Answer[] = last === null ? [] : [last];
        for (let wait = first; wait < 5_000; wait *= 2) {
          const answer = await job.ask("GET", "api", url, { needs });
          if (answer.status === 200) {
            last = answer;
            break;
          }
          await pause(wait * run.random.real(0.9, 1.1));
        }
        await pause(run.random.real(0.5, 1.5) * think);
      }
    })();
    await Promise.all([browse(run, "api", others, 18), working]);
  },
});
