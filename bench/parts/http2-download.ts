import { costAfter, costBefore, peakRss } from "../cost.ts";
import { MEBIBYTE } from "../figures.ts";
import { onHttp2Stage } from "../http2-stage.ts";
import { ask, type Part } from "../part.ts";
import type { Outcome } from "../programs/job.ts";
import { figure, inTurns } from "../rounds.ts";
import { atLeast, atMost } from "../verdict.ts";
import { secureTarget } from "./requests.ts";

const SIZE = 256 * MEBIBYTE;

export const http2Download: Part = {
  name: "h2-download",
  title: "256 MiB download on one stream, beside HTTP/1.1",
  measure: (field) =>
    onHttp2Stage(field, async ({ ask: asked, target, weir, reference, direct }) => {
      const streamed = (route: typeof direct) => async (): Promise<Outcome> => {
        await asked({ do: "open", route, target, connections: 1 });
        const done = await asked({ do: "download", bytes: SIZE });
        await asked({ do: "close" });
        return done;
      };
      const job = { do: "transfer", direction: "download", bytes: SIZE } as const;
      const courses = [
        { name: "Weir, h2", pids: weir.pids, run: streamed(weir.secure) },
        {
          name: "Weir, h1",
          pids: field.weir.pids,
          run: () => ask<Outcome>(field, { ...job, route: field.weir.secure, target: secureTarget(field) }),
        },
        { name: reference.name, pids: reference.pids, run: streamed(reference.secure) },
        { name: "direct, h2", pids: [], run: streamed(direct) },
      ];
      // The maximum of all rounds, because a limit on memory is about the worst case.
      const growth = new Map<string, number>();
      const rows = await inTurns(field.rounds, courses, async ({ name, pids, run }) => {
        const before = await costBefore(pids);
        const done = run();
        const peak = await peakRss(pids, done);
        const { seconds } = await done;
        const after = await costAfter(pids);
        growth.set(name, Math.max(growth.get(name) ?? 0, (peak - before.rss) / MEBIBYTE));
        const rate = SIZE / 1e6 / seconds;
        if (pids.length === 0) return { "MB/s": rate, "CPU s": Number.NaN, "RSS growth MiB": Number.NaN };
        const cpu = (after.cpu - before.cpu) / 1_000;
        return { "MB/s": rate, "CPU s": cpu, "RSS growth MiB": growth.get(name) ?? Number.NaN };
      });
      const grown = figure(rows, "Weir, h2", "RSS growth MiB");
      const ratio = figure(rows, "Weir, h2", "MB/s") / figure(rows, reference.name, "MB/s");
      return {
        rows,
        verdicts: [
          atMost("RSS growth ≤ 40 MiB", 40, grown, `${grown.toFixed(0)} MiB`),
          atLeast("aim: MB/s ≥ the reference's", 1, ratio, `${ratio.toFixed(2)}x`),
        ],
      };
    }),
};
