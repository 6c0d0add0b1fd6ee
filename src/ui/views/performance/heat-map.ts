import type { Bucket, EndpointDetail } from "../../../engine/messages/latency-messages.ts";
import type { TimeRange } from "../../../engine/messages/timeline-messages.ts";
import type { Instant } from "../../../engine/model/units.ts";
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
export type HeatMap = NonNullable<ReturnType<typeof heatMapOf>>;

/** A point of the heat map, as shares of its width and height from the upper left corner. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** The cells of a rectangle of the heat map: their latencies, the times of their starts, and both in words. */
interface HeatCells {
  readonly range: Bucket;
  readonly between: TimeRange;
  readonly name: string;
}

/** The cells that the rectangle between two points touches; `null` if none of them has a request. */
export function cellsBetween(
  { histogram, series, sliceLength }: EndpointDetail,
  from: Point,
  to: Point,
): HeatCells | null {
  const [first, last] = [series[0], series.at(-1)];
  if (first === undefined || last === undefined) return null;
  const columns = Math.round((last.at - first.at) / sliceLength) + 1;
  const [left, right] = indexesBetween(from.x, to.x, columns);
  const [top, bottom] = indexesBetween(from.y, to.y, histogram.length);
  const low = histogram[histogram.length - 1 - bottom];
  const high = histogram[histogram.length - 1 - top];
  if (low === undefined || high === undefined) return null;
  const between = {
    from: (first.at + left * sliceLength) as Instant,
    // The end belongs to the range, and to the next slice.
    to: (first.at + (right + 1) * sliceLength - 0.001) as Instant,
  };
  const inside = series.filter(({ at }) => at >= between.from && at <= between.to);
  const isBar = (bar: number) => bar >= histogram.length - 1 - bottom && bar <= histogram.length - 1 - top;
  const count = inside.reduce(
    (sum, { counts }) => sum + counts.reduce((own, each, bar) => own + (isBar(bar) ? each : 0), 0),
    0,
  );
  if (count === 0) return null;
  const range = { lo: low.lo, hi: high.hi, count };
  const times = `${clockText(between.from)} to ${clockText(between.to)}`;
  return { range, between, name: `${rangeName(range)}, ${times}: ${countPhrase(count, "request", "requests")}` };
}

/** The first and the last of `count` places that lie between two shares. */
function indexesBetween(one: number, other: number, count: number): readonly [number, number] {
  const indexAt = (share: number) => Math.min(count - 1, Math.max(0, Math.floor(share * count)));
  return [indexAt(Math.min(one, other)), indexAt(Math.max(one, other))];
}

/** For :style of the dragged rectangle. */
export type DragStyle = Readonly<Record<"display" | "left" | "top" | "width" | "height", string>>;

export const NO_DRAG: DragStyle = Object.freeze({ display: "none", left: "0", top: "0", width: "0", height: "0" });

export function heatDragStyle(from: Point, to: Point): DragStyle {
  const percent = (share: number) => `${(Math.min(1, Math.max(0, share)) * 100).toFixed(1)}%`;
  return Object.freeze({
    display: "block",
    left: percent(Math.min(from.x, to.x)),
    top: percent(Math.min(from.y, to.y)),
    width: percent(Math.abs(to.x - from.x)),
    height: percent(Math.abs(to.y - from.y)),
  });
}

/** The heat map of an endpoint; `null` if there is no latency. */
export function heatMapOf({ histogram, series, sliceLength }: EndpointDetail) {
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
    /** For each shade, the path of its cells. */
    cells: Object.freeze(cells),
    highest: high.hi === null ? rangeName(high) : `${grouped(String(high.hi))} ms`,
    lowest: `${grouped(String(low.lo))} ms`,
    from: clockText(first.at),
    to: clockText(last.at),
    /** The text alternative. */
    description:
      `${countPhrase(requests, "request", "requests")} in slices of ${axisText(sliceLength)}: the median goes from ` +
      `${durationText(first.p50)} to ${durationText(last.p50)} ms, p95 is highest at ${clockText(slowest.at)} ` +
      `with ${durationText(slowest.p95)} ms`,
  });
}
