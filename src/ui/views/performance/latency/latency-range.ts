import type { Milliseconds } from "../../../../engine/model/units.ts";
import { axisText } from "../../../format/duration.ts";

/*
 * One logarithmic axis for all rows of the latency table, with a line at each whole decade:
 *
 *   1 ms     10      100     1 s
 *   │        │    ●━━┿──┤    │          ● p50   ━ to p95 ┿   ─ to p99 ┤
 */

/** Width of the drawing, in px: the width of the column Spread without its margins. */
export const SPREAD_WIDTH = 184;

/** Height of the drawing, in px: the height of a list row. */
const HEIGHT = 28;
const MIDDLE = HEIGHT / 2;

/** Exponent of the least latency on the axis, 0.1 ms. */
const SHORTEST = -1;

/** The fewest decades on the axis, so that a single endpoint does not fill the width. */
const FEWEST_DECADES = 2;

/** The axis reaches from 10^low to 10^high ms. */
export interface LatencyAxis {
  readonly low: number;
  readonly high: number;
}

/** The percentiles of an endpoint's row that determine the axis. */
export interface Percentiles {
  readonly p50: Milliseconds | null;
  readonly p95: Milliseconds | null;
  readonly p99: Milliseconds | null;
}

/** A power of ten on the axis: its label ("10 ms", "100", "1 s") and the position of its line. */
export interface Decade {
  readonly label: string;
  readonly style: { readonly left: string };
}

/** The drawing as two paths. `body`: the dot, the thick line and the tick; `tail`: the thin line to the p99. */
export interface LatencyRange {
  readonly body: string;
  readonly tail: string;
}

/**
 * The axis of whole decades that contains all rows and the axis `earlier`, so that scrolling never narrows the axis.
 * `null` if there are no latencies.
 */
export function latencyAxisOf(rows: readonly Percentiles[], earlier: LatencyAxis | null): LatencyAxis | null {
  let low = earlier?.low ?? Number.POSITIVE_INFINITY;
  let high = earlier?.high ?? Number.NEGATIVE_INFINITY;
  for (const { p50, p99 } of rows) {
    if (p50 === null || p99 === null) continue;
    low = Math.min(low, Math.floor(exponentOf(p50)));
    high = Math.max(high, Math.floor(exponentOf(p99)) + 1);
  }
  if (low > high) return null;
  return Object.freeze({ low, high: Math.max(high, low + FEWEST_DECADES) });
}

/** The position of a latency on the axis, in px from the left end; monotone, and within the drawing. */
export function positionOn(axis: LatencyAxis, latency: Milliseconds): number {
  const share = (exponentOf(latency) - axis.low) / (axis.high - axis.low);
  return Math.min(1, Math.max(0, share)) * SPREAD_WIDTH;
}

/** The decades of the axis from the left end on. The right end has no line, because the column ends there. */
export function decadesOf(axis: LatencyAxis): readonly Decade[] {
  const decades: Decade[] = [];
  for (let exponent = axis.low; exponent < axis.high; exponent += 1) {
    const ms = 10 ** exponent;
    const style = Object.freeze({ left: `${Math.round(positionOn(axis, ms))}px` });
    decades.push(Object.freeze({ label: labelOf(ms, exponent === axis.low), style }));
  }
  return Object.freeze(decades);
}

/** The drawing of one row; `null` without a latency sample. */
export function latencyRangeOf({ p50, p95, p99 }: Percentiles, axis: LatencyAxis): LatencyRange | null {
  if (p50 === null || p95 === null || p99 === null) return null;
  const [a, b, c] = [positionOn(axis, p50), positionOn(axis, p95), positionOn(axis, p99)].map(tenth);
  return Object.freeze({
    body: `M${a} ${MIDDLE - 3}a3 3 0 1 1 0 6a3 3 0 1 1 0-6zM${a} ${MIDDLE - 1}H${b}v2H${a}zM${b} ${MIDDLE - 5}h2v10h-2z`,
    tail: `M${b} ${MIDDLE}H${c}M${c} ${MIDDLE - 3}v6`,
  });
}

function exponentOf(latency: Milliseconds): number {
  return latency > 0 ? Math.max(SHORTEST, Math.log10(latency)) : SHORTEST;
}

function labelOf(ms: number, first: boolean): string {
  return first || ms >= 1000 ? axisText(ms) : String(ms);
}

function tenth(px: number): number {
  return Math.round(px * 10) / 10;
}
