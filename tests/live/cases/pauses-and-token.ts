import type { IncomingMessage } from "node:http";
import { type Answer, liveCase, now, pause } from "../contract.ts";
import { segmentsOf, sendJson } from "../http.ts";
import { arrivals, clientOf } from "../ordinary.ts";

/** A snapshot is written to disk synchronously now and then; and a job logs in for each of its calls. */
export const live = liveCase({
  story: "The service stands still every few seconds; and a job fetches a token for each call.",
  draw: (draw) => {
    const [path = "", ...paths] = draw.words(4);
    return {
      path,
      paths,
      every: draw.int(1_800, 2_600),
      held: draw.int(350, 550),
      check: draw.real(80, 130),
      usual: draw.real(20, 40),
      calls: draw.int(38, 46),
      users: draw.int(3, 4),
      requests: draw.int(28, 34),
    };
  },
  causes: () => [
    { name: "pauses", accepts: [{ kind: "server-pauses" }], at: ["app"] },
    { name: "token", accepts: [{ kind: "repeated-prerequisite" }], at: ["POST /login"] },
  ],
  service: async ({ every, held, check, usual }, run) => {
    const shared = new Int32Array(new SharedArrayBuffer(4));
    const sessions = new Set<string>();
    let paused = { from: 0, to: 0 };
    setInterval(() => {
      const from = now();
      if (run.isOn("pauses")) Atomics.wait(shared, 0, 0, held);
      paused = { from, to: now() };
    }, every);
    const lostSince = (since: number, request: IncomingMessage): void => {
      const from = Math.max(since, paused.from);
      if (from < paused.to && run.isOn("pauses")) run.added("pauses", from, paused.to, clientOf(request));
    };
    await run.serve("app", async (request, response) => {
      const [name = "", id = ""] = segmentsOf(request);
      const sent = Number(String(request.headers["x-request-start"]).replace("t=", ""));
      const since = now();
      lostSince(sent, request);
      const due = since + run.random.lognormal(name === "login" ? check : usual, 0.25);
      await pause(due - now());
      lostSince(due, request);
      request.resume();
      if (name !== "login") return sendJson(response, { [name]: id, next: `n${run.random.text(8)}` });
      // A session lives for ten minutes.
      const session = run.random.text(30);
      sessions.add(session);
      sendJson(response, { session, expires_in: 600 });
      // What a pause added to a login is counted there.
      if (sessions.size > 1) run.added("token", since, Math.min(due, now()), clientOf(request));
    });
  },
  client: async ({ path, paths, calls, users, requests }, run) => {
    const started = () => ({ "X-Request-Start": `t=${now()}` });
    const job = run.actor("job", { userAgent: "export-job/4.4", address: "127.0.0.90" });
    const login = () =>
      job.ask("POST", "app", "/login", {
        body: JSON.stringify({ user: "export", password: "7c1f0e" }),
        headers: { "Content-Type": "application/json", ...started() },
      });
    const exporting = (async () => {
      let valid: Answer | null = null;
      let last: Answer | null = null;
      for (let call = 0; call < calls; call += 1) {
        if (valid === null || run.isOn("token")) valid = await login();
        const headers = { "X-Session": valid.json().session, ...started() };
        last = await job.ask("GET", "app", `/${path}/${last?.json().next ?? "first"}`, {
          headers,
          needs: last === null ? [valid] : [valid, last],
        });
        await pause(run.random.real(4, 18));
      }
    })();
    const using = Array.from({ length: users }, (_, index) => {
      const user = run.actor(`user ${index}`, { userAgent: `app/${index}.9`, address: `127.0.0.${91 + index}` });
      const ids = run.random.shuffled(Array.from({ length: 400 }, (__, id) => id + 1));
      return arrivals(run.random, requests, 330, (count) =>
        user.ask("GET", "app", `/${run.random.pick(paths)}/${ids[count]}`, { headers: started() }),
      );
    });
    await Promise.all([exporting, ...using]);
  },
});
