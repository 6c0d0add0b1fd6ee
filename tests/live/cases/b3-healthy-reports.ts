import { gzipSync } from "node:zlib";
import { type Actor, type Answer, type ClientRun, liveCase, now, pause } from "../contract.ts";
import { segmentsOf, sendJson, targetOf } from "../http.ts";

/** How often the service asks clients to look at a report's progress, s. */
const LOOK_AGAIN = 1;

/**
 * Analysts order reports that take seconds, look at their progress when Retry-After says so, and download them; they
 * open pages of several requests at once and save them, twice over somebody's change. Nothing is wrong: a report has to
 * take that long, each look shows progress, the pauses are the service's wish, and the rest is noise.
 */
export const live = liveCase({
  story:
    "Analysts order long reports and look at their progress when Retry-After says so, open pages in bursts and save them with If-Match; nothing is wrong.",
  draw: (draw) => {
    const [reports = "", pages = "", field = "", ...parts] = draw.words(8);
    return {
      reports,
      pages,
      field,
      parts,
      analysts: draw.int(2, 3),
      rounds: 2,
      takes: draw.int(2_400, 3_400),
      usual: draw.int(22, 50),
      noise: draw.real(0.5, 0.75),
      conflicts: draw.int(1, 2),
    };
  },
  causes: () => [],
  service: async ({ reports, parts, field, takes, usual, noise, conflicts }, run) => {
    const jobs = new Map<string, { since: number; takes: number }>();
    const versions = new Map<string, number>();
    let conflictsLeft = conflicts;
    await run.serve("desk", async (request, response) => {
      const [name = "", id = "", rest] = segmentsOf(request);
      request.resume();
      await run.work(usual, noise);
      if (request.method === "POST") {
        const made = run.random.text(14);
        jobs.set(made, { since: now(), takes: run.random.lognormal(takes, 0.25) });
        const headers = {
          "Content-Type": "application/json",
          "Retry-After": LOOK_AGAIN,
          Location: `/${reports}/${made}`,
        };
        response.writeHead(202, headers).end(JSON.stringify({ report: made, progress: 0 }));
        return;
      }
      const job = jobs.get(id);
      if (job !== undefined && rest !== undefined) {
        const rows = Array.from({ length: 900 }, (_, row) => `${row};${run.random.text(24)}`).join("\n");
        const disposition = `attachment; filename="${id}.csv"`;
        const type = { "Content-Type": "text/csv", "Content-Encoding": "gzip", "Content-Disposition": disposition };
        response.writeHead(200, type).end(gzipSync(rows));
        return;
      }
      if (job !== undefined) {
        const share = Math.min(1, (now() - job.since) / job.takes);
        const state = {
          progress: share,
          rows: Math.floor(share * 90_000),
          file: share < 1 ? null : run.random.text(12),
        };
        return sendJson(response, state, share < 1 ? { "Retry-After": LOOK_AGAIN } : {});
      }
      const version = versions.get(id) ?? 1;
      if (request.method === "PUT") {
        const isLate = conflictsLeft > 0 && request.headers["if-match"] === '"1"';
        if (isLate) conflictsLeft -= 1;
        versions.set(id, version + 1);
        response.writeHead(isLate ? 412 : 204, isLate ? { "Content-Length": 0 } : {}).end();
        return;
      }
      if (parts.includes(name)) {
        const of = targetOf(request).searchParams.get("of");
        return sendJson(response, { of, [field]: run.random.text(run.random.int(80, 3_000)) });
      }
      sendJson(response, { title: run.random.text(20), version }, { ETag: `"${version}"` });
    });
  },
  client: async ({ reports, pages, parts, analysts, rounds }, run) => {
    const work = async (name: string, address: string): Promise<void> => {
      const actor = run.actor(name, { userAgent: `desk/2.8 (${name})`, address, sockets: 12 });
      await pause(run.random.real(0, 900));
      for (let round = 0; round < rounds; round += 1) {
        const page = `/${pages}/${run.random.int(1_000, 9_999)}`;
        const [opened] = await Promise.all([
          actor.ask("GET", "desk", page),
          ...parts.map((part) => actor.ask("GET", "desk", `/${part}?of=${page.slice(1)}`)),
        ]);
        await pause(run.random.real(2_050, 2_500));
        await save(actor, page, opened);
        await Promise.all([order(run, actor, reports, page), pause(run.random.real(2_050, 2_600))]);
      }
    };
    await Promise.all(run.random.words(analysts).map((name, index) => work(name, `127.0.0.${21 + index}`)));
  },
});

/** Saves a page; reads it again and saves it anew if somebody else has changed it meanwhile. */
async function save(actor: Actor, page: string, opened: Answer): Promise<void> {
  const put = (known: Answer): Promise<Answer> =>
    actor.ask("PUT", "desk", page, {
      body: "{}",
      headers: { "If-Match": String(known.headers["etag"]) },
      needs: [known],
    });
  const saved = await put(opened);
  if (saved.status !== 412) return;
  await put(await actor.ask("GET", "desk", page, { needs: [saved] }));
}

/** Orders a report, looks at it when the service says so, and downloads it. */
async function order(run: ClientRun, actor: Actor, reports: string, page: string): Promise<void> {
  const ordered = await actor.ask("POST", "desk", `/${reports}`, { body: JSON.stringify({ page }) });
  const path = `/${reports}/${ordered.json().report}`;
  for (let seen = ordered; ; ) {
    await pause(Number(seen.headers["retry-after"]) * 1_000 + run.random.real(1, 15));
    seen = await actor.ask("GET", "desk", path, { needs: [ordered] });
    if (seen.json().file === null) continue;
    const headers = { "Accept-Encoding": "gzip" };
    await actor.ask("GET", "desk", `${path}/${seen.json().file}`, { headers, needs: [ordered, seen] });
    return;
  }
}
