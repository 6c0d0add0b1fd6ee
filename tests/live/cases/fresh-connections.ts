import type { AddressInfo } from "node:net";
import { liveCase, now } from "../contract.ts";
import { segmentsOf, sendJson } from "../http.ts";
import { lineTo } from "../line.ts";
import { answersOrdinary, arrivals, browse } from "../ordinary.ts";

/** The service is tens of ms away, so that each TLS handshake costs a round trip; Weir keeps its own connections. */
export const live = liveCase({
  story: "The client opens a new TLS connection to a service far away for each request.",
  scheme: "https",
  draw: (draw) => {
    const [path = "", ...others] = draw.words(4);
    return {
      path,
      others,
      delay: draw.int(35, 60),
      usual: draw.real(20, 40),
      requests: draw.int(45, 60),
      mean: draw.int(160, 220),
    };
  },
  causes: () => [{ name: "fresh", accepts: [{ kind: "new-connections" }], at: ["api"], unlogged: true, direct: true }],
  service: async ({ path, delay, usual, others }, run) => {
    const server = await run.serve("api", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      const [, id = ""] = segmentsOf(request);
      await run.work(usual, 0.3);
      sendJson(response, { [path]: id, at: now(), text: run.random.text(140) });
    });
    run.serves("api", await lineTo((server.address() as AddressInfo).port, { delay }));
  },
  client: async ({ path, requests, mean, others }, run) => {
    const script = run.actor("script", { userAgent: "script/0.9", keepAlive: !run.isOn("fresh") });
    const ids = run.random.shuffled(Array.from({ length: 300 }, (_, index) => index + 40));
    await Promise.all([
      browse(run, "api", others, 20),
      arrivals(run.random, requests, mean, (index) => script.ask("GET", "api", `/${path}/${ids[index]}`)),
    ]);
  },
});
