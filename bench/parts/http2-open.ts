import { costAfter, costBefore } from "../cost.ts";
import { MEBIBYTE } from "../figures.ts";
import { onHttp2Stage } from "../http2-stage.ts";
import type { Part } from "../part.ts";
import { figure, inTurns } from "../rounds.ts";
import { atMost } from "../verdict.ts";

const STREAMS = 1_000;
/** Several connections, because Weir accepts at most 256 streams on one. */
const CONNECTIONS = 4;
/** The most KiB of RSS per stream. */
const LIMIT = 64;

/** Measures the memory for responses that have started and do not end, like event streams. */
export const http2Open: Part = {
  name: "h2-open",
  title: `${STREAMS.toLocaleString("en-US")} open streams on ${CONNECTIONS} connections`,
  measure: (field) =>
    onHttp2Stage(field, async ({ ask, target, weir, reference }) => {
      const courses = [
        { name: "Weir, h2", pids: weir.pids, route: weir.secure },
        { name: reference.name, pids: reference.pids, route: reference.secure },
      ];
      const rows = await inTurns(field.rounds, courses, async ({ pids, route }) => {
        const before = await costBefore(pids);
        await ask({ do: "open", route, target, connections: CONNECTIONS });
        await ask({ do: "hold", streams: STREAMS });
        const after = await costAfter(pids);
        await ask({ do: "close" });
        const freed = await costAfter(pids);
        return {
          "RSS MiB before": before.rss / MEBIBYTE,
          "with them": after.rss / MEBIBYTE,
          "once closed": freed.rss / MEBIBYTE,
          "KiB each": (after.rss - before.rss) / 1_024 / STREAMS,
        };
      });
      const each = figure(rows, "Weir, h2", "KiB each");
      return { rows, verdicts: [atMost(`our choice: ≤ ${LIMIT} KiB each`, LIMIT, each, `${each.toFixed(0)} KiB`)] };
    }),
};
