import { setTimeout as pause } from "node:timers/promises";
import { costAfter, costBefore } from "../cost.ts";
import { MEBIBYTE } from "../figures.ts";
import { OpenPage } from "../page.ts";
import { ask, type Field, type Part, type Table } from "../part.ts";
import { certificatesOf } from "../subjects.ts";
import { atMost } from "../verdict.ts";
import { type RunningWeir, startWeir } from "../weir.ts";
import { secureTarget } from "./requests.ts";

const REQUESTS = 100_000;
const CONNECTIONS = 32;
/** Milliseconds. */
const MINUTE = 60_000;

/** Measures Weir's CPU and memory while idle, and its memory after traffic. */
export const footprint: Part = {
  name: "footprint",
  title: `Weir by itself: idle for a minute with a page, then ${REQUESTS.toLocaleString("en-US")} HTTPS requests without one`,
  measure: async (field) => {
    const weir = await startWeir(field.environment, "footprint");
    try {
      return await measured(field, weir);
    } finally {
      await weir.stop();
    }
  },
};

async function measured(field: Field, { page, pids, ca, secure, ui }: RunningWeir): Promise<Table> {
  await ask(field, { do: "trust", certificates: [...certificatesOf(field.subjects, field.environment.authority), ca] });
  const started = await costBefore(pids);
  const began = performance.now();
  await pause(MINUTE);
  const idle = await costAfter(pids);
  const share = (100 * (idle.cpu - started.cpu)) / (performance.now() - began);
  page.close();
  await ask(field, { do: "prepare", route: secure, target: secureTarget(field), connections: CONNECTIONS });
  await ask(field, { do: "requests", count: REQUESTS });
  const filled = await costAfter(pids);
  await ask(field, { do: "release" });
  const counting = await OpenPage.open(ui);
  await pause(MINUTE);
  const recorded = counting.summary?.exchanges ?? 0;
  if (recorded < REQUESTS) throw new Error(`of ${REQUESTS} requests ${recorded} were recorded`);
  counting.close();
  const later = await costAfter(pids);
  const mebibytes = ({ rss }: { readonly rss: number }): number => rss / MEBIBYTE;
  const memory = (when: string, most: number, cost: { readonly rss: number }) =>
    atMost(`${when} ≤ ${most} MiB`, most, mebibytes(cost), `${mebibytes(cost).toFixed(0)} MiB`);
  return {
    rows: [
      { subject: "idle", figures: { "RSS MiB": mebibytes(idle), "CPU %": share } },
      { subject: "after the requests", figures: { "RSS MiB": mebibytes(filled) } },
      { subject: "a minute later", figures: { "RSS MiB": mebibytes(later) } },
    ],
    verdicts: [
      atMost("idle ≤ 0.3 % of a core", 0.3, share, `${share.toFixed(2)} %`),
      memory("idle", 75, idle),
      memory("after the requests", 180, filled),
    ],
  };
}
