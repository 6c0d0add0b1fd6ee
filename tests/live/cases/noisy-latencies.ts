import { liveCase, pause } from "../contract.ts";
import { segmentsOf, sendJson } from "../http.ts";

export const live = liveCase({
  story: "Every endpoint varies by chance alone; nothing decides which request is slow.",
  draw: (draw) => ({
    endpoints: draw.words(5).map((name) => ({ name, median: draw.real(15, 70), sigma: draw.real(0.5, 0.9) })),
    requests: draw.int(110, 150),
    think: draw.int(20, 60),
  }),
  causes: () => [],
  service: async ({ endpoints }, run) => {
    await run.serve("api", async (request, response) => {
      const [name, id] = segmentsOf(request);
      const { median, sigma } = endpoints.find((endpoint) => endpoint.name === name) ?? { median: 5, sigma: 0.5 };
      await run.work(median, sigma);
      sendJson(
        response,
        { id, [`${name}`]: run.random.text(60) },
        { "Server-Timing": `app;dur=${Math.round(median)}` },
      );
    });
  },
  client: async ({ endpoints, requests, think }, run) => {
    const app = run.actor("app");
    for (let sent = 0; sent < requests; sent += 1) {
      await app.ask("GET", "api", `/${run.random.pick(endpoints).name}/${1_000 + sent * 7}`);
      // A person reads now and then.
      await pause(run.random.chance(0.15) ? run.random.real(300, 500) : run.random.real(0.5, 1.5) * think);
    }
  },
});
