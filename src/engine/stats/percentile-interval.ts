import { binomial } from "./distributions.ts";

/** The bounds, as ranks from 0; `null` if there are too few samples for a bound. */
export interface PercentileInterval {
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * The binomial confidence interval of a percentile: the ranks of two samples that enclose the true value with a
 * probability of at least `confidence`. On each side, the true value lies outside with a probability of at most (1 -
 * `confidence`) / 2. `share`: 0 to 1.
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
