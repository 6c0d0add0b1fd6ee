import type { Milliseconds } from "../model/units.ts";
import type { LatencyTally } from "./latency-tally.ts";

/** docs/specification.md, Histogram: the number of bars with two edges. */
const BARS = 30;
/** The share of values in bars with two edges. The rest is in the open bar. */
const CLOSED_SHARE = 0.995;
/**
 * With fewer than `FEW` values, a single large value would widen all bars. So the largest value is left out if it is
 * more than `FAR` times as large as the next one.
 */
const FEW = 200;
const FAR = 2;
/** Where logarithmic bars begin. Shorter latencies are in the first bar. */
const SHORTEST: Milliseconds = 0.1;
/** Bars narrower than this would show the noise of the clock. */
const NARROWEST: Milliseconds = 0.001;

/** Values from `lo` to below `hi`; `hi` is `null` if there is no upper bound. */
export interface HistogramBucket {
  readonly lo: Milliseconds;
  readonly hi: Milliseconds | null;
  readonly count: number;
}

/**
 * The tally's values in logarithmic bars, so that two modes that are close together show as two. Values above the last
 * edge are in one open bar.
 */
export function histogramOf(tally: LatencyTally): readonly HistogramBucket[] {
  const [least, most] = tally.percentiles([0, CLOSED_SHARE]) ?? [];
  if (least === undefined || most === undefined) return Object.freeze([]);
  const edges = edgesBetween(least, Math.min(most, withoutOutlier(tally)));
  const counts = tally.countsFrom(edges);
  const bars = edges.map((lo, index) => Object.freeze({ lo, hi: edges[index + 1] ?? null, count: counts[index] ?? 0 }));
  // The last bar has no upper edge. It is usually empty, and then left out.
  return Object.freeze(bars.at(-1)?.count === 0 ? bars.slice(0, -1) : bars);
}

/** The largest value. With few values, the second largest if the largest would make all other bars too narrow. */
function withoutOutlier(tally: LatencyTally): Milliseconds {
  const { count, greatest } = tally;
  if (count < 3 || count >= FEW) return greatest;
  const [before = greatest] = tally.percentiles([(count - 2) / (count - 1)]) ?? [];
  return greatest > FAR * before ? before : greatest;
}

/** Ascending edges with few digits. The first is at most `least`, the last above `most`. */
function edgesBetween(least: Milliseconds, most: Milliseconds): readonly Milliseconds[] {
  const base = Math.max(least, SHORTEST);
  const ratio = (Math.max(most, base) / base) ** (1 / BARS);
  // Nearly equal values get a single bar.
  if (base * (ratio - 1) < NARROWEST) return [lowestEdge(least, base / 100), edgeAbove(most, base / 100)];
  const inner = Array.from({ length: BARS - 1 }, (_, index) => {
    const edge = base * ratio ** (index + 1);
    return edgeBelow(edge, edge * (ratio - 1));
  });
  return [lowestEdge(least, base * (ratio - 1)), ...inner, edgeAbove(most, most * (1 - 1 / ratio))];
}

function lowestEdge(least: Milliseconds, width: Milliseconds): Milliseconds {
  return least < SHORTEST ? 0 : edgeBelow(least, width);
}

/**
 * The largest multiple of a power of ten that is at most `value`. The power is at most a quarter of `width`, so that
 * edges ascend.
 */
function edgeBelow(value: Milliseconds, width: Milliseconds): Milliseconds {
  return multipleOf(Math.floor(value / unitOf(width)), width);
}

/** The smallest multiple, as in `edgeBelow`, that is above `value`. */
function edgeAbove(value: Milliseconds, width: Milliseconds): Milliseconds {
  const times = Math.floor(value / unitOf(width)) + 1;
  const edge = multipleOf(times, width);
  // The division may have rounded down, so that the edge is not above `value`.
  return edge > value ? edge : multipleOf(times + 1, width);
}

function multipleOf(times: number, width: Milliseconds): Milliseconds {
  const digits = -exponentOf(width);
  return digits > 0 ? Number((times / 10 ** digits).toFixed(digits)) : times * 10 ** -digits;
}

function unitOf(width: Milliseconds): number {
  return 10 ** exponentOf(width);
}

function exponentOf(width: Milliseconds): number {
  return Math.floor(Math.log10(width / 4));
}
