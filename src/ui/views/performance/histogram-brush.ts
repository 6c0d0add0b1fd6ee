import type { Bucket } from "../../../engine/messages/latency-messages.ts";
import { countPhrase } from "../../format/count.ts";
import { rangeName } from "./histogram.ts";

/** Selected bars of the histogram. */
export interface Brush {
  /** Indices of the two outermost bars, in either order; the bar `to` has the focus. */
  readonly from: number;
  readonly to: number;
  /**
   * The latency range of the selected bars; `null`: no bar is selected. The range is kept, because traffic may change
   * the bars later.
   */
  readonly range: Bucket | null;
}

export const NO_BRUSH: Brush = Object.freeze({ from: 0, to: 0, range: null });

export function brushOver(histogram: readonly Bucket[], from: number, to: number): Brush {
  const bars = histogram.slice(Math.min(from, to), Math.max(from, to) + 1);
  const [first, last] = [bars[0], bars.at(-1)];
  const count = bars.reduce((sum, bar) => sum + bar.count, 0);
  const range = first === undefined || last === undefined ? null : { lo: first.lo, hi: last.hi, count };
  return Object.freeze({ from, to, range });
}

/** The brush after an arrow key; with Shift, the key extends or shrinks the brush. `null` for other keys. */
export function brushAfter(
  { key, shiftKey }: Pick<KeyboardEvent, "key" | "shiftKey">,
  { from, to }: Brush,
  histogram: readonly Bucket[],
): Brush | null {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (step === undefined) return null;
  const next = Math.min(histogram.length - 1, Math.max(0, to + step));
  return brushOver(histogram, shiftKey ? from : next, next);
}

/** The bar at `x` px from the chart's left edge. */
export function barAt(x: number, width: number, bars: number): number {
  return Math.min(bars - 1, Math.max(0, Math.floor((x / width) * bars)));
}

/** Whether the bar is one of several selected bars. */
export function isBrushed({ from, to }: Brush, bar: number): boolean {
  return from !== to && bar >= Math.min(from, to) && bar <= Math.max(from, to);
}

/** "260 to 270 ms: 40 requests"; "" for fewer than two bars. */
export function brushText({ from, to, range }: Brush): string {
  if (from === to || range === null) return "";
  return `${rangeName(range)}: ${countPhrase(range.count, "request", "requests")}`;
}
