import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Child } from "../child.ts";
import { costAfter, costBefore } from "../cost.ts";
import { EngineDelay } from "../engine-delay.ts";
import { MEBIBYTE, median } from "../figures.ts";
import { OpenPage } from "../page.ts";
import type { Part, Row } from "../part.ts";
import { atMost, type Verdict } from "../verdict.ts";
import { QUERIES } from "../view-queries.ts";

const PROGRAM = fileURLToPath(new URL("../programs/stored-traffic.ts", import.meta.url));
const FEW = 100_000;
/** How many times each query runs, each time with other values. */
const ROUNDS = 3;
/** Limits for a query in ms: with 100,000 exchanges (`few`), and with more (`many`). */
const LIMITS = { few: 50, many: 150 } as const;
/** Time limit in ms for the search for chains. */
const CHAINS = 3_000;
/** Time limit for the findings, and time between two queries for them, in ms. */
const FINDINGS = 300_000;
const ASKED_EVERY = 200;

/** Opens a stored session from disk, and measures the time of each view's query and the memory that the views need. */
export const session: Part = {
  name: "session",
  title: "a stored session, opened: milliseconds from a view's question to its answer",
  measure: async ({ environment, rows: most }) => {
    const { folder, authority } = environment;
    const rows: Row[] = [];
    const verdicts: Verdict[] = [];
    for (const count of new Set([Math.min(FEW, most), most])) {
      const words = [PROGRAM, join(folder, `session ${count}`), authority.root];
      const stored = await recorded(words, count);
      const child = await Child.start<{ readonly ui: string }>(words);
      try {
        const subject = `${count.toLocaleString("en-US")} exchanges`;
        const figures = { ...(await measured(child, stored)), ...(await foundBy(words, stored)) };
        rows.push({ subject, figures });
        verdicts.push(...verdictsOf(subject, figures, LIMITS[count <= FEW ? "few" : "many"]));
      } finally {
        await child.stop();
      }
    }
    return { rows, verdicts };
  },
};

/** Records a session of `count` exchanges and ends it. Returns the session's id. */
async function recorded(words: readonly string[], count: number): Promise<string> {
  const child = await Child.start<{ readonly ui: string }>(words);
  try {
    await child.ask({ rows: count });
    const page = await OpenPage.open(child.ready.ui);
    await page.command({ type: "new-session" });
    const { sessions } = await page.value("sessions");
    page.close();
    const stored = sessions.find(({ state }) => state === "completed");
    if (stored === undefined) throw new Error("nothing was stored");
    return stored.id;
  } finally {
    await child.stop();
  }
}

async function measured(child: Child<{ readonly ui: string }>, stored: string): Promise<Record<string, number>> {
  const page = await OpenPage.open(child.ready.ui);
  const engineDelay = new EngineDelay(await OpenPage.open(child.ready.ui));
  const began = performance.now();
  await page.command({ type: "open-session", session: stored });
  const figures: Record<string, number> = { "open s": (performance.now() - began) / 1_000 };
  figures["away opening"] = engineDelay.longest();
  const { answer } = await page.ask({ view: "density", filter: "", between: null, slices: 1 });
  const whole = answer.type === "value" && answer.value !== null && "whole" in answer.value ? answer.value.whole : null;
  if (whole === null) throw new Error("an empty session was opened");
  for (const { name, query } of QUERIES) {
    const took: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      took.push((await page.ask(query(round, { ...whole, stored }))).took);
    figures[name] = median(took);
  }
  figures["away asked"] = engineDelay.longest();
  figures["RSS MiB"] = (await costAfter([child.pid])).rss / MEBIBYTE;
  for (let looked = 0; looked < CHAINS && (await page.value("chains")).progress < 1; looked += ASKED_EVERY)
    await pause(ASKED_EVERY);
  figures["away chains"] = engineDelay.longest();
  figures["RSS MiB chains"] = (await costAfter([child.pid])).rss / MEBIBYTE;
  await engineDelay.end();
  page.close();
  return figures;
}

/** Measures the seconds, and the CPU seconds, that a newly started engine needs for all findings of the session. */
async function foundBy(words: readonly string[], stored: string): Promise<Record<string, number>> {
  const child = await Child.start<{ readonly ui: string }>(words);
  try {
    const page = await OpenPage.open(child.ready.ui);
    await page.command({ type: "open-session", session: stored });
    const engineDelay = new EngineDelay(await OpenPage.open(child.ready.ui));
    const before = await costBefore([child.pid]);
    const began = performance.now();
    while ((await page.value("findings")).progress < 1 && performance.now() - began < FINDINGS)
      await pause(ASKED_EVERY);
    const took = performance.now() - began;
    const { cpu } = await costAfter([child.pid]);
    const away = engineDelay.longest();
    await engineDelay.end();
    page.close();
    const figures = { "findings s": took / 1_000, "findings CPU s": (cpu - before.cpu) / 1_000, "away findings": away };
    return took < FINDINGS ? figures : { ...figures, "findings s": Number.POSITIVE_INFINITY };
  } finally {
    await child.stop();
  }
}

function verdictsOf(subject: string, figures: Record<string, number>, limit: number): readonly Verdict[] {
  const slow = QUERIES.filter(({ name }) => !((figures[name] ?? Number.NaN) <= limit));
  const longest = Math.max(...QUERIES.map(({ name }) => figures[name] ?? Number.NaN));
  const rss = figures["RSS MiB"] ?? Number.NaN;
  const away = Math.max(
    ...["opening", "asked", "chains", "findings"].map((when) => figures[`away ${when}`] ?? Number.NaN),
  );
  return [
    {
      must: `${subject}: every view's question ≤ ${limit} ms`,
      measured: slow.length === 0 ? `${longest.toFixed(0)} ms at most` : slow.map(({ name }) => name).join(", "),
      met: slow.length === 0,
    },
    atMost(
      `${subject}: findings ≤ 2 s`,
      2,
      figures["findings s"] ?? Number.NaN,
      `${figures["findings s"]?.toFixed(1)} s`,
    ),
    atMost(`${subject}: ≤ 600 MiB`, 600, rss, `${rss.toFixed(0)} MiB`),
    atMost(`${subject}: nothing keeps another page longer than 100 ms`, 100, away, `${away.toFixed(0)} ms`),
  ];
}
