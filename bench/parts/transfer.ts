import { costAfter, costBefore, peakRss } from "../cost.ts";
import { MEBIBYTE } from "../figures.ts";
import { ask, type Part } from "../part.ts";
import type { Outcome } from "../programs/job.ts";
import { figure, interleaved } from "../rounds.ts";
import { atLeast, atMost, type Verdict } from "../verdict.ts";
import { secureTarget } from "./requests.ts";

const SIZE = 256 * MEBIBYTE;

export const download = transfer("download");
export const upload = transfer("upload");

function transfer(direction: "download" | "upload"): Part {
  return {
    name: direction,
    title: `256 MiB ${direction}, HTTPS`,
    measure: async (field) => {
      const target = secureTarget(field);
      // The maximum of all rounds, because a limit on memory is about the worst case.
      const growth = new Map<string, number>();
      const rows = await interleaved(field, "transfer", async ({ name, pids, secure: route }) => {
        const before = await costBefore(pids);
        const done = ask<Outcome>(field, { do: "transfer", route, target, direction, bytes: SIZE });
        const peak = await peakRss(pids, done);
        const { seconds } = await done;
        const after = await costAfter(pids);
        growth.set(name, Math.max(growth.get(name) ?? 0, (peak - before.rss) / MEBIBYTE));
        return {
          "MB/s": SIZE / 1e6 / seconds,
          "CPU s": (after.cpu - before.cpu) / 1_000,
          "RSS growth MiB": growth.get(name) ?? Number.NaN,
        };
      });
      return { rows, verdicts: verdictsOf(rows) };
    },
  };
}

function verdictsOf(rows: Parameters<typeof figure>[0]): readonly Verdict[] {
  const ratio = figure(rows, "Weir", "MB/s") / figure(rows, "http-mitm-proxy", "MB/s");
  const growth = figure(rows, "Weir", "RSS growth MiB");
  return [
    atLeast("≥ 1.3x http-mitm-proxy MB/s", 1.3, ratio, `${ratio.toFixed(2)}x`),
    atMost("RSS growth ≤ 40 MiB", 40, growth, `${growth.toFixed(0)} MiB`),
  ];
}
