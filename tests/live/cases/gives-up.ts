import { liveCase, now, pause } from "../contract.ts";
import { segmentsOf, sendJson } from "../http.ts";
import { answersOrdinary, browse, clientOf } from "../ordinary.ts";

/** The service forgets some requests: the message to its worker is lost. Only the client's time-out helps. */
export const live = liveCase({
  story: "Some requests get no answer; the client gives up after a fixed time and sends them again.",
  draw: (draw) => {
    const [path = "", ...others] = draw.words(4);
    return {
      ...{ path, others },
      limit: draw.int(350, 650),
      lost: draw.real(0.16, 0.24),
      usual: draw.real(25, 50),
      calls: draw.int(50, 65),
      think: draw.int(60, 120),
    };
  },
  causes: ({ path }) => [{ name: "lost", accepts: [{ kind: "retries" }], at: [`GET /${path}/*`] }],
  service: async ({ path, lost, usual, others }, run) => {
    const tried = new Set<string>();
    await run.serve("api", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      const [, id = ""] = segmentsOf(request);
      const since = now();
      const isFirst = !tried.has(id);
      tried.add(id);
      if (isFirst && run.random.chance(lost) && run.isOn("lost")) {
        response.on("close", () => run.added("lost", since, now(), clientOf(request)));
        return;
      }
      await run.work(usual, 0.3);
      sendJson(response, { [path]: id, text: run.random.text(90) });
    });
  },
  client: async ({ path, limit, calls, think, others }, run) => {
    const script = run.actor("script", { userAgent: "inventory/3.0" });
    const working = (async () => {
      for (let call = 0; call < calls; call += 1) {
        for (let tries = 0; tries < 4; tries += 1) {
          const { status } = await script.ask("GET", "api", `/${path}/${600 + call * 11}`, { timeout: limit });
          if (status === 200) break;
        }
        await pause(run.random.real(0.5, 1.5) * think);
      }
    })();
    await Promise.all([browse(run, "api", others, 18), working]);
  },
});
