import type { Milliseconds } from "../model/units.ts";
import type { LatencyTally } from "./latency-tally.ts";

/** docs/specification.md, Histogram: bounds of half-open buckets [lo, hi), the last without an upper bound. */
export const HISTOGRAM_EDGES: readonly Milliseconds[] = Object.freeze([
  0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000,
]);

/** [lo, hi); `hi` `null` = no upper bound. */
export interface HistogramBucket {
  readonly lo: Milliseconds;
  readonly hi: Milliseconds | null;
  readonly count: number;
}

/** The tally's values in the buckets of docs/specification.md, Histogram, without empty ones at both ends. */
export function histogramOf(tally: LatencyTally): readonly HistogramBucket[] {
  const buckets = HISTOGRAM_EDGES.map((lo, index) => {
    const hi = HISTOGRAM_EDGES[index + 1] ?? null;
    const below = hi === null ? tally.count : tally.countBelow(hi);
    return Object.freeze({ lo, hi, count: below - (index === 0 ? 0 : tally.countBelow(lo)) });
  });
  const first = buckets.findIndex((bucket) => bucket.count > 0);
  const last = buckets.findLastIndex((bucket) => bucket.count > 0);
  return Object.freeze(first < 0 ? [] : buckets.slice(first, last + 1));
}
