import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Query } from "../../src/engine/messages/messages.ts";
import type { Instant } from "../../src/engine/model/units.ts";
import { Child } from "../child.ts";
import { costAfter } from "../cost.ts";
import { MEBIBYTE, median } from "../figures.ts";
import { OpenPage } from "../page.ts";
import type { Part, Row } from "../part.ts";
import { atMost, type Verdict } from "../verdict.ts";

const PROGRAM = fileURLToPath(new URL("../programs/stored-traffic.ts", import.meta.url));
const FEW = 100_000;
/** Each question is asked so often, with other words. */
const ROUNDS = 3;
/** Milliseconds between two questions of a page beside it, which tell how long the engine's thread is away. */
const EVERY = 20;
/** Milliseconds that the search for chains is looked at. */
const CHAINS = 3_000;

interface Asked {
  readonly name: string;
  /** Milliseconds that the answer may take with 100,000 exchanges, and with more. */
  readonly limits: readonly [few: number, many: number];
  query(round: number, whole: Whole): Query;
}

/** The session that is asked about, from its first start to its last end. */
interface Whole {
  readonly from: number;
  readonly to: number;
  /** Its id. */
  readonly stored: string;
}

const RANGE = { from: 0, count: 60 };
const LIST: readonly [number, number] = [50, 150];

/** One question of each view. */
const QUESTIONS: readonly Asked[] = [
  {
    name: "filter",
    limits: LIST,
    query: (round) => ({
      view: "traffic",
      filter: `cart page=${round}`,
      sort: { column: "id", descending: true },
      range: RANGE,
    }),
  },
  {
    name: "sort",
    limits: LIST,
    query: (round) => ({
      view: "traffic",
      filter: "",
      sort: { column: (["latency", "path", "size"] as const)[round % 3] ?? "size", descending: true },
      range: RANGE,
    }),
  },
  {
    name: "timeline, range",
    limits: LIST,
    query: (round, whole) => ({ view: "timeline", filter: "", between: partOf(whole, round), range: RANGE }),
  },
  {
    name: "timeline, filter",
    limits: LIST,
    query: (round, whole) => ({
      view: "timeline",
      filter: `users/${round} dur>50`,
      between: partOf(whole, round),
      range: RANGE,
    }),
  },
  { name: "density", limits: LIST, query: () => ({ view: "density", filter: "", between: null, slices: 400 }) },
  {
    name: "latency",
    limits: LIST,
    query: () => ({ view: "latency", filter: "", sort: { column: "p95", descending: true }, range: RANGE }),
  },
  {
    name: "slow",
    limits: LIST,
    query: () => ({ view: "slow", filter: "", cause: "all", endpoint: null, range: RANGE }),
  },
  {
    name: "payload",
    limits: LIST,
    query: () => ({ view: "payload", filter: "", sort: { column: "oversized", descending: true }, range: RANGE }),
  },
  {
    name: "trends",
    limits: LIST,
    query: () => ({
      view: "trends",
      filter: "",
      metric: "all",
      direction: "all",
      sort: { column: "change", descending: true },
      range: RANGE,
    }),
  },
  {
    name: "compare",
    limits: LIST,
    query: (_, { stored }) => ({
      view: "compare",
      left: stored,
      right: stored,
      filter: "",
      sort: { column: "p95", descending: true },
      range: RANGE,
    }),
  },
  { name: "grouping", limits: LIST, query: () => ({ view: "grouping" }) },
  { name: "chains", limits: LIST, query: () => ({ view: "chains" }) },
];

/** A session as the recorder made it from events, opened from disk: what each view's question takes, and what all of it needs. */
export const session: Part = {
  name: "session",
  title: "a stored session, opened: milliseconds from a view's question to its answer",
  measure: async ({ surroundings, rows: most }) => {
    const { folder, authority } = surroundings;
    const rows: Row[] = [];
    const verdicts: Verdict[] = [];
    for (const count of new Set([Math.min(FEW, most), most])) {
      const words = [PROGRAM, join(folder, `session ${count}`), authority.root];
      const stored = await recorded(words, count);
      const child = await Child.start<{ readonly ui: string }>(words);
      try {
        const subject = `${count.toLocaleString("en-US")} exchanges`;
        const figures = await measured(child, stored);
        rows.push({ subject, figures });
        verdicts.push(...verdictsOf(subject, figures, count <= FEW ? 0 : 1));
      } finally {
        await child.stop();
      }
    }
    return { rows, verdicts };
  },
};

/** The id of a session of so many exchanges that has ended. */
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
  const absence = new Absence(await OpenPage.open(child.ready.ui));
  const began = performance.now();
  await page.command({ type: "open-session", session: stored });
  const figures: Record<string, number> = { "open s": (performance.now() - began) / 1_000 };
  figures["away opening"] = absence.longest();
  const { answer } = await page.ask({ view: "density", filter: "", between: null, slices: 1 });
  const whole = answer.type === "value" && answer.value !== null && "whole" in answer.value ? answer.value.whole : null;
  if (whole === null) throw new Error("an empty session was opened");
  for (const { name, query } of QUESTIONS) {
    const took: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      took.push((await page.ask(query(round, { ...whole, stored }))).took);
    figures[name] = median(took);
  }
  figures["away asked"] = absence.longest();
  figures["RSS MiB"] = (await costAfter([child.pid])).rss / MEBIBYTE;
  for (let looked = 0; looked < CHAINS && (await page.value("chains")).progress < 1; looked += 200) await pause(200);
  figures["away chains"] = absence.longest();
  figures["RSS MiB chains"] = (await costAfter([child.pid])).rss / MEBIBYTE;
  await absence.end();
  page.close();
  return figures;
}

/** How long another page waits for a reply at most, while this one is served. */
class Absence {
  readonly #page: OpenPage;
  readonly #asking: Promise<void>;
  #over = false;
  #longest = 0;

  constructor(page: OpenPage) {
    this.#page = page;
    this.#asking = this.#ask();
  }

  /** Since it was asked last. */
  longest(): number {
    const longest = this.#longest;
    this.#longest = 0;
    return longest;
  }

  async end(): Promise<void> {
    this.#over = true;
    await this.#asking;
    this.#page.close();
  }

  async #ask(): Promise<void> {
    while (!this.#over) {
      const began = performance.now();
      await this.#page.command({ type: "show-current" });
      this.#longest = Math.max(this.#longest, performance.now() - began);
      await pause(EVERY);
    }
  }
}

/** A twentieth of it. */
function partOf(
  { from, to }: Pick<Whole, "from" | "to">,
  round: number,
): { readonly from: Instant; readonly to: Instant } {
  const length = (to - from) / 20;
  const begin = from + (5 + round) * length;
  return { from: begin as Instant, to: (begin + length) as Instant };
}

function verdictsOf(subject: string, figures: Record<string, number>, limit: 0 | 1): readonly Verdict[] {
  const slow = QUESTIONS.filter(({ name, limits }) => !((figures[name] ?? Number.NaN) <= limits[limit]));
  const longest = Math.max(...QUESTIONS.map(({ name }) => figures[name] ?? Number.NaN));
  const rss = figures["RSS MiB"] ?? Number.NaN;
  const away = Math.max(...["opening", "asked", "chains"].map((when) => figures[`away ${when}`] ?? Number.NaN));
  return [
    {
      must: `${subject}: every view's question ≤ ${LIST[limit]} ms`,
      measured: slow.length === 0 ? `${longest.toFixed(0)} ms at most` : slow.map(({ name }) => name).join(", "),
      met: slow.length === 0,
    },
    atMost(`${subject}: ≤ 600 MiB`, 600, rss, `${rss.toFixed(0)} MiB`),
    atMost(`${subject}: nothing keeps another page longer than 100 ms`, 100, away, `${away.toFixed(0)} ms`),
  ];
}
