import { type Answer, liveCase, now, pause } from "../contract.ts";
import { bodyOf, segmentsOf, sendJson } from "../http.ts";
import { answersOrdinary, browse, clientOf } from "../ordinary.ts";

export const live = liveCase({
  story: "The client fetches a token before each call, although each is valid for an hour.",
  draw: (draw) => {
    const [path = "", ...others] = draw.words(4);
    return {
      path,
      others,
      token: draw.pick(["/oauth/token", "/auth/token", "/v1/session"]),
      check: draw.real(70, 140),
      usual: draw.real(25, 60),
      calls: draw.int(40, 50),
      think: draw.int(6, 16),
    };
  },
  causes: ({ token }) => [{ name: "token", accepts: [{ kind: "repeated-prerequisite" }], at: [`POST ${token}`] }],
  service: async ({ token, check, usual, others }, run) => {
    const issued = new Set<string>();
    await run.serve("api", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      const [path = "", id = ""] = segmentsOf(request);
      if (request.url === token) {
        const since = now();
        await bodyOf(request);
        // Hashing the secret takes its time, on purpose.
        await run.work(check, 0.2);
        const made = `tk_${run.random.text(40)}`;
        issued.add(made);
        sendJson(response, { access_token: made, token_type: "Bearer", expires_in: 3_600 });
        if (issued.size > 1) run.added("token", since, now(), clientOf(request));
        return;
      }
      const isKnown = issued.has(String(request.headers.authorization).replace("Bearer ", ""));
      await run.work(usual, 0.3);
      if (isKnown) sendJson(response, { [path]: id, next: `n${run.random.text(8)}`, text: run.random.text(120) });
      else response.writeHead(401).end();
    });
  },
  client: async ({ path, token, calls, think, others }, run) => {
    const job = run.actor("job", { userAgent: "sync-job/2.3" });
    const fetchToken = () =>
      job.ask("POST", "api", token, {
        body: "grant_type=client_credentials&client_id=sync&client_secret=4f9a77",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
      });
    const working = (async () => {
      let valid: Answer | null = null;
      let last: Answer | null = null;
      for (let call = 0; call < calls; call += 1) {
        if (valid === null || run.isOn("token")) valid = await fetchToken();
        last = await job.ask("GET", "api", `/${path}/${last?.json().next ?? "first"}`, {
          headers: { Authorization: `Bearer ${valid.json().access_token}` },
          needs: last === null ? [valid] : [valid, last],
        });
        await pause(run.random.real(0.5, 1.5) * think);
      }
    })();
    await Promise.all([browse(run, "api", others, 20), working]);
  },
});
