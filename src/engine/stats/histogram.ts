import type { Milliseconds } from "../model/units.ts";
import type { LatencyTally } from "./latency-tally.ts";

/** docs/specification.md, Histogram: bars between the extremes. */
const BARS = 30;
/** The share of values in them; the rest is in one open bar. */
const CLOSED_SHARE = 0.995;
/** Logarithmic bars begin here; shorter latencies are in the first. Default; not from a specification. */
const SHORTEST: Milliseconds = 0.1;
/** Narrower bars would show the clock's noise. Default; not from a specification. */
const NARROWEST: Milliseconds = 0.001;

/** [lo, hi); `hi` `null` = no upper bound. */
export interface HistogramBucket {
  readonly lo: Milliseconds;
  readonly hi: Milliseconds | null;
  readonly count: number;
}

/** The tally's values in logarithmic bars between its own extremes, so that two modes close together are two. */
export function histogramOf(tally: LatencyTally): readonly HistogramBucket[] {
  const [least, most] = tally.percentiles([0, CLOSED_SHARE]) ?? [];
  if (least === undefined || most === undefined) return Object.freeze([]);
  const edges = edgesBetween(least, most);
  const counts = tally.countsFrom(edges);
  const bars = edges.map((lo, index) => Object.freeze({ lo, hi: edges[index + 1] ?? null, count: counts[index] ?? 0 }));
  // The last has no upper edge, and mostly no value.
  return Object.freeze(bars.at(-1)?.count === 0 ? bars.slice(0, -1) : bars);
}

/** Ascending edges with few digits: the first is at most `least`, the last above `most`. */
function edgesBetween(least: Milliseconds, most: Milliseconds): readonly Milliseconds[] {
  const base = Math.max(least, SHORTEST);
  const ratio = (Math.max(most, base) / base) ** (1 / BARS);
  const exact = Array.from({ length: BARS + 1 }, (_, index) => base * ratio ** index);
  const narrowest = base * (ratio - 1);
  if (narrowest < NARROWEST) return around(least, most);
  const edges = exact.map((edge, index) => roundedDown(edge, edge * (ratio - 1) * (index === 0 ? 1 : 1 / ratio)));
  const last = edges[BARS] as Milliseconds;
  const first = least < SHORTEST ? 0 : (edges[0] as Milliseconds);
  return [first, ...edges.slice(1, -1), last > most ? last : next(last, most, most * (1 - 1 / ratio))];
}

/** One bar, a percent of its values wide. */
function around(least: Milliseconds, most: Milliseconds): readonly Milliseconds[] {
  const width = Math.max(most, SHORTEST) / 100;
  const lo = least < SHORTEST ? 0 : roundedDown(least, width);
  return [lo, next(lo, most, width)];
}

/** Down to a multiple of a power of ten that is at most a quarter of `width`, so that edges stay apart. */
function roundedDown(value: Milliseconds, width: Milliseconds): Milliseconds {
  return multiple(Math.floor(value / unitFor(width)), width);
}

/** The least such multiple above `most`. */
function next(from: Milliseconds, most: Milliseconds, width: Milliseconds): Milliseconds {
  const times = Math.floor(Math.max(from, most) / unitFor(width)) + 1;
  const edge = multiple(times, width);
  // Where dividing rounded down to a multiple that is `most` itself.
  return edge > most ? edge : multiple(times + 1, width);
}

function multiple(times: number, width: Milliseconds): Milliseconds {
  const digits = -unitExponent(width);
  return digits > 0 ? Number((times / 10 ** digits).toFixed(digits)) : times * 10 ** -digits;
}

function unitFor(width: Milliseconds): number {
  return 10 ** unitExponent(width);
}

function unitExponent(width: Milliseconds): number {
  return Math.floor(Math.log10(width / 4));
}
