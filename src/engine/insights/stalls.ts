import type { Milliseconds } from "../model/units.ts";
import { percentileOf } from "../stats/percentile.ts";

/** docs/specification.md, slow-streams. */
const TIMES_USUAL = 5;

/**
 * A gap between events is a stall only if it lasts at least `SHORTEST_STALL`, and if there are at least `LEAST_GAPS`
 * gaps. Gaps are random if their p75 is at least `RANDOM_FROM` times their p25; a Poisson process has a ratio of 4.8.
 * Random gaps reach 5 times the median by chance, so they count as stalls only from `TIMES_USUAL_OF_RANDOM` medians on.
 */
const SHORTEST_STALL: Milliseconds = 500;
const LEAST_GAPS = 5;
const RANDOM_FROM = 3;
const TIMES_USUAL_OF_RANDOM = 15;

/** The shortest gap that counts as a stall; infinite if there are too few gaps. */
export function stallOf(gaps: readonly Milliseconds[]): Milliseconds {
  if (gaps.length < LEAST_GAPS) return Number.POSITIVE_INFINITY;
  const ascending = Float64Array.from(gaps).sort();
  const [low, median, high] = [0.25, 0.5, 0.75].map((share) => percentileOf(ascending, share)) as [
    number,
    number,
    number,
  ];
  const times = high >= RANDOM_FROM * low ? TIMES_USUAL_OF_RANDOM : TIMES_USUAL;
  return Math.max(SHORTEST_STALL, times * median);
}

export function gapsOf(events: readonly number[]): Milliseconds[] {
  return events.slice(1).map((event, index) => event - (events[index] ?? event));
}
