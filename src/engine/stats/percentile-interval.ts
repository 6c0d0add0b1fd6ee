import { binomial } from "./distributions.ts";

/** Ranks, from 0; `null` if there are too few samples for a bound. */
export interface PercentileInterval {
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * The binomial confidence interval of a percentile: the ranks of two samples that enclose the true value with a
 * probability of at least `confidence`. Each side excludes at most half of the rest. `share`: 0 to 1.
 */
export function percentileInterval(count: number, share: number, confidence = 0.95): PercentileInterval {
  const tail = (1 - confidence) / 2;
  let low: number | null = null;
  let high: number | null = null;
  let sum = 0;
  for (let below = 0; below < count; below += 1) {
    // The probability that at most `below` samples are under the percentile.
    sum += binomial(below, count, share);
    if (sum <= tail) low = below;
    if (high === null && sum >= 1 - tail) high = below;
  }
  return { low, high };
}
