import { setTimeout as pause } from "node:timers/promises";
import { median, quantile } from "../figures.ts";
import { OpenPage } from "../page.ts";
import { ask, type Field, type Figures, type Part, type Row } from "../part.ts";
import type { Outcome, Route } from "../programs/job.ts";
import { mediansOf } from "../rounds.ts";
import { certificatesOf } from "../subjects.ts";
import { atMost } from "../verdict.ts";
import { type RunningWeir, startWeir } from "../weir.ts";
import { plainTarget, secureTarget } from "./requests.ts";

const CONNECTIONS = 64;
/** Requests per second, sent whether or not earlier requests were answered. */
const RATE = 1_000;
/**
 * Measurements in a round. Pauses of the computer come in groups, so with many short measurements, only a few contain a
 * pause. The median leaves these measurements out.
 */
const WINDOWS_A_ROUND = 3;
const SECONDS = 0.6;
/** Seconds of traffic over new connections before the first measurement. */
const SETTLING = 0.3;
/** Changes of the filter per second. */
const FILTERS = 5;

/** Measures whether a busy UI client slows traffic down, in a session with many rows. */
export const isolation: Part = {
  name: "isolation",
  title: "HTTPS at an open-loop 1,000 req/s, without a page and with one that filters all rows 5 times a second",
  measure: async (field) => {
    const weir = await startWeir(field.environment, "isolation");
    try {
      return await measured(field, weir);
    } finally {
      await weir.stop();
    }
  },
};

/** The figures measured over one route. */
class Taken {
  readonly #name: string;
  readonly #alone: Figures[] = [];
  readonly #filtered: Figures[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  add(alone: Figures, filtered: Figures): void {
    this.#alone.push(alone);
    this.#filtered.push(filtered);
  }

  get rows(): readonly [Row, Row] {
    return [
      { subject: `${this.#name}, without a page`, figures: mediansOf(this.#alone) },
      { subject: `${this.#name}, page filters`, figures: mediansOf(this.#filtered) },
    ];
  }

  /** The p99 while a UI client filters, divided by the p99 without one. */
  get ratio(): number {
    const [alone, filtered] = this.rows.map(({ figures }) => figures["p99 ms"] ?? Number.NaN) as [number, number];
    return filtered / alone;
  }
}

async function measured(field: Field, weir: RunningWeir): ReturnType<Part["measure"]> {
  await ask(field, {
    do: "trust",
    certificates: certificatesOf([...field.subjects, weir], field.environment.authority),
  });
  const recorded = await filled(field, weir);
  weir.page.close();
  const target = secureTarget(field);
  const direct: Route = { kind: "server", port: target.port };
  const through = new Taken("through Weir");
  // Direct requests do not pass through Weir. If they are slower while the page filters, the reason is that the
  // computer has more threads to run.
  const beside = new Taken("server itself");
  const filters: number[] = [];
  for (let round = 0; round < field.rounds; round += 1) {
    for (const taken of [through, beside]) {
      const route = taken === through ? weir.secure : direct;
      await ask(field, { do: "prepare", route, target, connections: CONNECTIONS });
      await ask(field, { do: "run", seconds: SETTLING, rate: RATE });
      for (let window = 0; window < WINDOWS_A_ROUND; window += 1) {
        const alone = await paced(field);
        const page = await OpenPage.open(weir.ui);
        const typing = new AbortController();
        const typed = filtering(page, typing.signal);
        taken.add(alone, await paced(field));
        typing.abort();
        filters.push(...(await typed));
        page.close();
      }
      await ask(field, { do: "release" });
    }
  }
  const typical = median(filters);
  return {
    rows: [...through.rows, ...beside.rows],
    verdicts: [
      atMost(
        "p99 ≤ 1.3x the p99 without a page",
        1.3,
        through.ratio,
        `${through.ratio.toFixed(2)}x (the server itself, asked directly: ${beside.ratio.toFixed(2)}x)`,
      ),
      atMost(
        `a filter over ${recorded.toLocaleString("en-US")} rows ≤ 150 ms, traffic running (median)`,
        150,
        typical,
        `${typical.toFixed(0)} ms of ${filters.length}, longest ${Math.max(...filters).toFixed(0)} ms`,
      ),
    ],
  };
}

/** Sends `field.rows` requests. Waits up to 10 s until all are counted, and returns the number of counted exchanges. */
async function filled(field: Field, { page, plain }: RunningWeir): Promise<number> {
  await ask(field, { do: "prepare", route: plain, target: plainTarget(field), connections: CONNECTIONS });
  await ask(field, { do: "requests", count: field.rows });
  await ask(field, { do: "release" });
  for (let waited = 0; waited < 100 && (page.summary?.exchanges ?? 0) < field.rows; waited += 1) await pause(100);
  return page.summary?.exchanges ?? 0;
}

async function paced(field: Field): Promise<Figures> {
  const { times, operations, seconds } = await ask<Outcome>(field, { do: "run", seconds: SECONDS, rate: RATE });
  return { "req/s": operations / seconds, "p50 ms": quantile(times, 0.5), "p99 ms": quantile(times, 0.99) };
}

/**
 * Changes the filter every 200 ms, or as soon as the previous change is answered if that takes longer. Returns the
 * milliseconds that each change took.
 */
async function filtering(page: OpenPage, over: AbortSignal): Promise<readonly number[]> {
  const took: number[] = [];
  for (let count = 0; !over.aborted; count += 1) {
    const next = pause(1_000 / FILTERS);
    took.push(await page.filter(`items/${count % 5}?page=${count % 20}`));
    await next;
  }
  return took;
}
