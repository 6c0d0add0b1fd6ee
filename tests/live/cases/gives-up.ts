import { type Answer, liveCase, now, pause } from "../contract.ts";
import { segmentsOf, sendJson } from "../http.ts";
import { answersOrdinary, browse, clientOf } from "../ordinary.ts";

/** The service forgets some requests: the message to its worker is lost. Only the client's time-out helps. */
export const live = liveCase({
  story: "Some requests get no answer; the client gives up after a fixed time and sends them again.",
  // On a busy computer a TLS handshake can take longer than the client waits.
  scheme: "http",
  draw: (draw) => {
    const [path = "", ...others] = draw.words(4);
    return {
      path,
      others,
      limit: draw.int(350, 650),
      lost: draw.real(0.16, 0.24),
      usual: draw.real(25, 50),
      calls: draw.int(80, 100),
      think: draw.int(6, 16),
    };
  },
  causes: ({ path }) => [{ name: "lost", accepts: [{ kind: "retries" }], at: [`GET /${path}/*`] }],
  service: async ({ path, lost, usual, others }, run) => {
    const lostSince = new Map<string, number>();
    await run.serve("api", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      const [, id = ""] = segmentsOf(request);
      const lostAt = lostSince.get(id);
      lostSince.set(id, 0);
      if (lostAt === undefined && run.random.chance(lost) && run.isOn("lost")) {
        lostSince.set(id, now());
        return;
      }
      if ((lostAt ?? 0) > 0) run.added("lost", lostAt ?? 0, now(), clientOf(request));
      await run.work(usual, 0.3);
      sendJson(response, { [path]: id, next: `n${run.random.text(8)}`, text: run.random.text(90) });
    });
  },
  client: async ({ path, limit, calls, think, others }, run) => {
    const script = run.actor("script", { userAgent: "inventory/3.0" });
    const working = (async () => {
      let last: Answer | null = null;
      for (let call = 0; call < calls; call += 1) {
        const url: string = `/${path}/${last?.json().next ?? "first"}`;
        const needs: Answer[] = last === null ? [] : [last];
        for (let tries = 0; tries < 6; tries += 1) {
          const answer = await script.ask("GET", "api", url, last === null ? {} : { timeout: limit, needs });
          if (answer.status !== 200) continue;
          last = answer;
          break;
        }
        await pause(run.random.real(0.5, 1.5) * think);
      }
    })();
    await Promise.all([browse(run, "api", others, 18), working]);
  },
});
