import { setTimeout as pause } from "node:timers/promises";
import { median, quantile } from "../figures.ts";
import { OpenPage } from "../page.ts";
import { ask, type Field, type Figures, type Part } from "../part.ts";
import type { Outcome } from "../programs/job.ts";
import { figure, mediansOf } from "../rounds.ts";
import { certificatesOf } from "../subjects.ts";
import { type RunningWeir, startWeir } from "../weir.ts";
import { plainTarget, secureTarget } from "./requests.ts";

const CONNECTIONS = 64;
/** Requests a second, whether or not earlier ones were answered. */
const RATE = 1_000;
const SECONDS = 3;
/** Filters a second. */
const FILTERS = 5;

/** Whether a busy page is felt by the traffic: a session of many rows, made by real requests through the proxy. */
export const isolation: Part = {
  name: "isolation",
  title: "HTTPS at an open-loop 1,000 req/s, without a page and with one that filters all rows 5 times a second",
  measure: async (field) => {
    const weir = await startWeir(field.surroundings, "isolation");
    try {
      return await measured(field, weir);
    } finally {
      await weir.stop();
    }
  },
};

async function measured(field: Field, weir: RunningWeir): ReturnType<Part["measure"]> {
  await ask(field, {
    do: "trust",
    certificates: certificatesOf([...field.subjects, weir], field.surroundings.authority),
  });
  const recorded = await filled(field, weir);
  weir.page.close();
  const taken: Record<"alone" | "filtering", Figures[]> = { alone: [], filtering: [] };
  const filters: number[] = [];
  await ask(field, { do: "prepare", way: weir.secure, target: secureTarget(field), connections: CONNECTIONS });
  for (let round = 0; round < field.rounds; round += 1) {
    taken.alone.push(await paced(field));
    const page = await OpenPage.open(weir.ui);
    const typing = new AbortController();
    const typed = filtering(page, typing.signal);
    taken.filtering.push(await paced(field));
    typing.abort();
    filters.push(...(await typed));
    page.close();
  }
  await ask(field, { do: "release" });
  const rows = [
    { subject: "without a page", figures: mediansOf(taken.alone) },
    { subject: `page filters ${recorded.toLocaleString("en-US")} rows`, figures: mediansOf(taken.filtering) },
  ];
  const ratio = figure(rows, rows[1]?.subject ?? "", "p99 ms") / figure(rows, "without a page", "p99 ms");
  const typical = median(filters);
  return {
    rows,
    verdicts: [
      { must: "p99 ≤ 1.2x the p99 without a page", measured: `${ratio.toFixed(2)}x`, met: ratio <= 1.2 },
      {
        must: "filter to rows ≤ 150 ms, traffic running (median)",
        measured: `${typical.toFixed(0)} ms of ${filters.length}, longest ${Math.max(...filters).toFixed(0)} ms`,
        met: typical <= 150,
      },
    ],
  };
}

/** Sends so many requests; how many of them are in the list once all is folded. */
async function filled(field: Field, { page, plain }: RunningWeir): Promise<number> {
  await ask(field, { do: "prepare", way: plain, target: plainTarget(field), connections: CONNECTIONS });
  await ask(field, { do: "requests", count: field.rows });
  await ask(field, { do: "release" });
  for (let waited = 0; waited < 100 && (page.summary?.exchanges ?? 0) < field.rows; waited += 1) await pause(100);
  return page.summary?.exchanges ?? 0;
}

async function paced(field: Field): Promise<Figures> {
  const { times, operations, seconds } = await ask<Outcome>(field, { do: "run", seconds: SECONDS, rate: RATE });
  return { "req/s": operations / seconds, "p50 ms": quantile(times, 0.5), "p99 ms": quantile(times, 0.99) };
}

/** Another filter every 200 ms, or as soon as the last was answered; milliseconds of each. */
async function filtering(page: OpenPage, over: AbortSignal): Promise<readonly number[]> {
  const took: number[] = [];
  for (let count = 0; !over.aborted; count += 1) {
    const next = pause(1_000 / FILTERS);
    took.push(await page.filter(`items/${count % 5}?page=${count % 20}`));
    await next;
  }
  return took;
}
