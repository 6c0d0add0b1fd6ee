import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { liveCase, now, pause } from "../contract.ts";
import { segmentsOf, sendJson } from "../http.ts";
import { answersOrdinary, browse } from "../ordinary.ts";

/** A worker takes a job, converts a picture, and reports; the time is between the two requests, in the worker. */
export const live = liveCase({
  story: "A worker computes for a long time between the two requests of each job.",
  draw: (draw) => {
    const [job = "", result = "", ...others] = draw.words(5);
    return {
      job,
      result,
      others,
      jobs: draw.int(12, 16),
      busy: draw.int(320, 520),
      usual: draw.real(20, 40),
      rest: draw.int(40, 90),
    };
  },
  causes: ({ job, result }) => [
    { name: "work", accepts: [{ kind: "client-time" }], at: ["jobs", `POST /${job}/*/${result}`] },
  ],
  service: async ({ job, usual, others }, run) => {
    let last = 0;
    await run.serve("jobs", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      await run.work(usual, 0.3);
      const [, id = ""] = segmentsOf(request);
      last += 1;
      if (request.method === "GET") sendJson(response, { [job]: `j${last}${run.random.text(9)}`, at: now() });
      else sendJson(response, { done: id, at: now() });
      request.resume();
    });
  },
  client: async ({ job, result, jobs, busy, rest, others }, run) => {
    const worker = run.actor("worker", { userAgent: "worker/1.9" });
    const working = (async () => {
      for (let count = 0; count < jobs; count += 1) {
        const taken = await worker.ask("GET", "jobs", `/${job}/next`);
        const from = now();
        await pause(run.isOn("work") ? run.random.lognormal(busy, 0.2) : 4);
        // Only the worker knows this time.
        const line = { cause: "work", from, to: now(), client: "worker" };
        if (run.isOn("work")) appendFileSync(join(run.folder, "added.jsonl"), `${JSON.stringify(line)}\n`);
        const body = JSON.stringify({ ok: true, hash: run.random.text(24) });
        await worker.ask("POST", "jobs", `/${job}/${taken.json()[job]}/${result}`, {
          body,
          needs: [taken],
          headers: { "Content-Type": "application/json" },
        });
        await pause(rest);
      }
    })();
    await Promise.all([browse(run, "jobs", others, 20), working]);
  },
});
