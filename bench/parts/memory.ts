import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Child } from "../child.ts";
import { costAfter } from "../cost.ts";
import { MEBIBYTE } from "../figures.ts";
import type { Part, Row } from "../part.ts";
import { atMost, type Verdict } from "../verdict.ts";

const PROGRAM = fileURLToPath(new URL("../programs/stored-traffic.ts", import.meta.url));
/** Exchanges before the measurement, so that one-time costs do not count. */
const FIRST = 1_000;
const FEW = 100_000;
/** docs/specification.md, Limits: if there are more rows, the oldest are evicted. */
const ROW_CAP = 1_000_000;
const BEYOND = 200_000;

/** Measures the engine thread, as released, while it records generated exchanges to disk as fast as it can. */
export const memory: Part = {
  name: "memory",
  title: "memory per exchange, and time to fold and store one",
  measure: async ({ environment, rows: most }) => {
    const { folder, authority } = environment;
    const child = await Child.start([PROGRAM, join(folder, "memory"), authority.root]);
    try {
      const filled = async (rows: number): Promise<{ readonly each: number; readonly rss: number }> => {
        const each = await child.ask<number>({ rows });
        return { each, rss: (await costAfter([child.pid])).rss };
      };
      const { rss: before } = await filled(FIRST);
      const rows: Row[] = [];
      for (const count of new Set([Math.min(FEW, most), most])) {
        const { each, rss } = await filled(count);
        const growth = (rss - before) / 1_024 / (count - FIRST);
        const figures = { "RSS MiB": rss / MEBIBYTE, "KiB each": growth, "µs each, elapsed": each };
        rows.push({ subject: `${count.toLocaleString("en-US")} exchanges`, figures });
      }
      const last = rows.at(-1)?.figures ?? {};
      const verdicts = [
        verdict(`≤ 600 MiB with ${most.toLocaleString("en-US")} rows`, last["RSS MiB"] ?? Number.NaN, 600, "MiB"),
      ];
      if (most >= ROW_CAP) {
        const { rss } = await filled(most + BEYOND);
        const growth = rss / MEBIBYTE - (last["RSS MiB"] ?? Number.NaN);
        verdicts.push(
          verdict(`flat after the row cap: ${BEYOND.toLocaleString("en-US")} more`, growth, 32, "MiB more"),
        );
      }
      return { rows, verdicts };
    } finally {
      await child.stop();
    }
  },
};

function verdict(must: string, value: number, most: number, unit: string): Verdict {
  return atMost(must, most, value, `${value.toFixed(2)} ${unit}`);
}
