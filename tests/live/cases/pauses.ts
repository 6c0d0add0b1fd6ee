import type { IncomingMessage } from "node:http";
import { liveCase, now, pause } from "../contract.ts";
import { segmentsOf, sendJson } from "../http.ts";
import { arrivals, clientOf } from "../ordinary.ts";

/** A scheduled task runs a synchronous child process in the event loop, and meanwhile no request goes on. */
export const live = liveCase({
  story: "Every few seconds a task of the service blocks its event loop, and all requests wait until it ends.",
  draw: (draw) => {
    const paths = draw.words(4);
    return {
      paths,
      usual: paths.map(() => draw.real(15, 45)),
      every: draw.int(1_500, 2_300),
      held: draw.int(380, 650),
      users: draw.int(4, 6),
      requests: draw.int(28, 36),
    };
  },
  causes: () => [{ name: "pauses", accepts: [{ kind: "server-pauses" }], at: ["app"] }],
  service: async ({ paths, usual, every, held }, run) => {
    const shared = new Int32Array(new SharedArrayBuffer(4));
    let paused = { from: 0, to: 0 };
    setInterval(() => {
      const from = now();
      // The synchronous call of a child process or a disk: the thread sleeps.
      if (run.isOn("pauses")) Atomics.wait(shared, 0, 0, held);
      paused = { from, to: now() };
    }, every);
    const lostSince = (since: number, request: IncomingMessage): void => {
      const from = Math.max(since, paused.from);
      if (from < paused.to && run.isOn("pauses")) run.added("pauses", from, paused.to, clientOf(request));
    };
    await run.serve("app", async (request, response) => {
      // As a load balancer tells the time at which it took the request.
      const sent = Number(String(request.headers["x-request-start"]).replace("t=", ""));
      lostSince(sent, request);
      const [name = "", id = ""] = segmentsOf(request);
      const due = now() + run.random.lognormal(usual[paths.indexOf(name)] ?? 20, 0.35);
      await pause(due - now());
      lostSince(due, request);
      sendJson(response, { [name]: id, note: run.random.text(90) });
    });
  },
  client: async ({ paths, users, requests }, run) => {
    await Promise.all(
      Array.from({ length: users }, (_, index) => {
        const user = run.actor(`user ${index}`, { userAgent: `app/${index}.4`, address: `127.0.0.${30 + index}` });
        const ids = run.random.shuffled(Array.from({ length: 400 }, (__, id) => id + 1));
        return arrivals(run.random, requests, 330, (count) =>
          user.ask("GET", "app", `/${run.random.pick(paths)}/${ids[count]}`, {
            headers: { "X-Request-Start": `t=${now()}` },
          }),
        );
      }),
    );
  },
});
