import type { EndpointDetail } from "../../../engine/messages/latency-messages.ts";
import { clockText } from "../../format/clock.ts";
import { countPhrase, grouped } from "../../format/count.ts";
import { axisText, durationText } from "../../format/duration.ts";
import { rangeName } from "./histogram.ts";

/*
 * Latency over time: a column for each slice of the session, and in it a cell for each bar of the histogram. Cells of
 * low latency are at the bottom, and cells with more requests are darker:
 *
 *   270 ms │      ▒ █
 *          │ ░ ▒ █ ▒
 *   260 ms │ █ █ ▒
 *          └──────────
 */

/** The classes for the shades of a cell, the lightest first. */
const SHADES = ["shade1", "shade2", "shade3", "shade4", "shade5"] as const;

/** The heat map and its texts. A cell is one unit wide and one unit high. */
export interface HeatMap {
  readonly viewBox: string;
  /** For each shade, the path of its cells. */
  readonly cells: Readonly<Record<(typeof SHADES)[number], string>>;
  readonly highest: string;
  readonly lowest: string;
  readonly from: string;
  readonly to: string;
  /** The text alternative. */
  readonly description: string;
}

/** The heat map of an endpoint; `null` if there is no latency. */
export function heatMapOf({ histogram, series, sliceLength }: EndpointDetail): HeatMap | null {
  const [first, last] = [series[0], series.at(-1)];
  const [low, high] = [histogram[0], histogram.at(-1)];
  if (first === undefined || last === undefined || low === undefined || high === undefined) return null;
  const columnOf = (at: number): number => Math.round((at - first.at) / sliceLength);
  const columns = columnOf(last.at) + 1;
  const most = Math.max(...series.flatMap(({ counts }) => counts));
  const cells = { shade1: "", shade2: "", shade3: "", shade4: "", shade5: "" };
  for (const { at, counts } of series) {
    for (const [bar, count] of counts.entries()) {
      if (count === 0) continue;
      // The square root makes small counts visible: a cell with a quarter of the greatest count is half as dark as the
      // darkest cell.
      const shade = SHADES[Math.ceil(SHADES.length * Math.sqrt(count / most)) - 1] ?? "shade1";
      cells[shade] += `M${columnOf(at)} ${histogram.length - 1 - bar}h1v1h-1z`;
    }
  }
  const slowest = series.reduce((one, other) => (other.p95 > one.p95 ? other : one));
  const requests = series.reduce((sum, { samples }) => sum + samples, 0);
  return Object.freeze({
    viewBox: `0 0 ${columns} ${histogram.length}`,
    cells: Object.freeze(cells),
    highest: high.hi === null ? rangeName(high) : `${grouped(String(high.hi))} ms`,
    lowest: `${grouped(String(low.lo))} ms`,
    from: clockText(first.at),
    to: clockText(last.at),
    description:
      `${countPhrase(requests, "request", "requests")} in slices of ${axisText(sliceLength)}: the median goes from ` +
      `${durationText(first.p50)} to ${durationText(last.p50)} ms, p95 is highest at ${clockText(slowest.at)} ` +
      `with ${durationText(slowest.p95)} ms`,
  });
}
