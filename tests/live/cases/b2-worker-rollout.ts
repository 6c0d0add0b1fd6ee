import { createHash } from "node:crypto";
import { type Answer, liveCase, now, pause } from "../contract.ts";
import { Draw } from "../draw.ts";
import { bodyOf, segmentsOf, sendJson } from "../http.ts";

/** The gateway has a pool of replicas for each route and asks them in turn; one already runs the next version. */
export const live = liveCase({
  story: "A worker asks for its configuration before each job, and one replica's new version checks jobs slowly.",
  draw: (draw) => {
    const [config = "", queue = "", jobs = "", boards = "", secret = "", word = ""] = draw.words(6);
    return {
      config,
      queue,
      jobs,
      boards,
      secret,
      word,
      configTime: draw.real(50, 90),
      jobTime: draw.real(50, 90),
      slow: draw.int(160, 300),
      replicas: draw.int(2, 3),
      header: draw.pick([null, "x-app-version", "x-served-by"]),
      count: draw.int(34, 42),
      rest: draw.int(30, 90),
      reads: draw.int(25, 40),
    };
  },
  causes: ({ config, queue, jobs, header }) => [
    {
      name: "config",
      accepts: [{ kind: "repeated-prerequisite" }, { kind: "unchanged-refetches" }, { kind: "duplicate-requests" }],
      at: [`GET /${config}`],
    },
    {
      name: "version",
      accepts: [
        { kind: "slow-when", attribute: null },
        ...(header === null ? [] : [{ kind: "slow-when", attribute: `response-header:${header}` }]),
      ],
      at: [`POST /${queue}/*/${jobs}`],
    },
  ],
  service: async (plan, run) => {
    const turns = new Map<string, number>();
    const replicaOf = (route: string): number => {
      const turn = turns.get(route) ?? 0;
      turns.set(route, turn + 1);
      return turn % plan.replicas;
    };
    const revision = createHash("sha256").update(run.domain).digest("hex").slice(0, 20);
    let configs = 0;
    await run.serve("jobs", async (request, response) => {
      const since = now();
      const [first = "", id = ""] = segmentsOf(request);
      const body = await bodyOf(request);
      const replica = replicaOf(first);
      const isNew = replica === 0;
      const version = isNew ? "5.0.1" : "4.9.3";
      const said = plan.header === "x-served-by" ? `web-${replica}` : version;
      const named = plan.header === null ? {} : { [plan.header]: said };
      if (first === plan.config) {
        configs += 1;
        await run.work(plan.configTime, 0.25);
        if (configs > 1) run.added("config", since, undefined, "worker");
        sendJson(response, { [plan.secret]: revision, limit: 40, region: plan.word }, named);
        return;
      }
      if (first === plan.queue) {
        await run.work(plan.jobTime, 0.25);
        if (isNew && run.isOn("version")) {
          const from = now();
          await run.work(plan.slow, 0.12);
          run.added("version", from, undefined, "worker");
        }
        const digest = createHash("sha256").update(body).digest("hex");
        sendJson(response, { done: digest.slice(0, 16), took: Math.round(now() - since) }, named);
        return;
      }
      await run.work(30, 0.4);
      sendJson(response, { board: id, at: now() }, named);
    });
  },
  client: async ({ config, queue, jobs, boards, secret, count, rest, reads }, run) => {
    const worker = run.actor("worker", { userAgent: "worker/0.14", address: "127.0.0.31" });
    const console = run.actor("console", { userAgent: "Mozilla/5.0 Chrome/141.0", address: "127.0.0.32" });
    const others = new Draw(run.seed + 1);
    const watching = (async () => {
      for (let read = 0; read < reads; read += 1) {
        await console.ask("GET", "jobs", `/${boards}/${others.int(1, 400)}`);
        await pause(others.real(120, 380));
      }
    })();
    let known: Answer | null = null;
    for (let job = 0; job < count; job += 1) {
      if (known === null || run.isOn("config")) known = await worker.ask("GET", "jobs", `/${config}`);
      await worker.ask("POST", "jobs", `/${queue}/${1_000 + job}/${jobs}`, {
        headers: { "Content-Type": "application/json", "X-Revision": known.json()[secret] },
        body: JSON.stringify({ input: run.random.text(run.random.int(80, 400)) }),
        needs: [known],
      });
      await pause(run.random.real(0.5, 1.5) * rest);
    }
    await watching;
  },
});
