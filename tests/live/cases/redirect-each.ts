import { liveCase, now } from "../contract.ts";
import { segmentsOf, sendJson, targetOf } from "../http.ts";
import { answersOrdinary, arrivals, browse, clientOf } from "../ordinary.ts";

/** The router knows the path only with its last slash, and it redirects after the session has been checked. */
export const live = liveCase({
  story: "Each call is redirected once, because the client leaves out the slash at the end.",
  draw: (draw) => {
    const [path = "", ...others] = draw.words(4);
    return {
      path,
      others,
      status: draw.pick([301, 302, 307, 308]),
      check: draw.real(50, 90),
      usual: draw.real(30, 60),
      calls: draw.int(40, 55),
    };
  },
  causes: ({ path }) => [
    { name: "slash", accepts: [{ kind: "redirects" }], at: [`GET /${path}/*`, `GET /${path}/*/`] },
  ],
  service: async ({ path, status, check, usual, others }, run) => {
    await run.serve("api", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      const [, id = "", slash] = segmentsOf(request);
      const since = now();
      await run.work(check, 0.25);
      if (slash === undefined) {
        const location = `${targetOf(request).pathname}/`;
        response.writeHead(status, { Location: location, "Content-Length": 0, "Cache-Control": "no-store" }).end();
        run.added("slash", since, now(), clientOf(request));
        return;
      }
      await run.work(usual, 0.3);
      sendJson(response, { [path]: id, text: run.random.text(90) });
    });
  },
  client: async ({ path, calls, others }, run) => {
    const app = run.actor("app", { userAgent: "field-app/2.2" });
    await Promise.all([
      browse(run, "api", others, 20),
      arrivals(run.random, calls, 260, async (index) => {
        const asked = await app.ask("GET", "api", `/${path}/${70 + index * 9}${run.isOn("slash") ? "" : "/"}`);
        const location = asked.headers["location"];
        if (typeof location === "string") await app.ask("GET", "api", location, { needs: [asked] });
      }),
    ]);
  },
});
