import type { Bytes, Milliseconds } from "../model/units.ts";
import { binomial } from "./distributions.ts";

/**
 * docs/specification.md, Percentile: linear interpolation at rank (count - 1) × `share`. `count`: the number of values,
 * at least 1; `share`: 0 to 1; `valueAt`: returns the value with a rank, 0 for the smallest.
 */
export function percentileBy(count: number, share: number, valueAt: (rank: number) => number): number {
  if (count < 1) throw new Error("percentile of nothing");
  const rank = (count - 1) * share;
  const below = Math.floor(rank);
  const low = valueAt(below);
  if (rank === below) return low;
  return low + (valueAt(below + 1) - low) * (rank - below);
}

export function percentileOf(ascending: ArrayLike<number>, share: number): number {
  return percentileBy(ascending.length, share, (rank) => ascending[rank] ?? Number.NaN);
}

/** The median of values in any order; 0 if there are none. */
export function medianOf(values: ArrayLike<number>): number {
  return values.length === 0 ? 0 : percentileOf(new Float64Array(values).sort(), 0.5);
}

/** The most values kept of one figure in one session. */
export const MOST_VALUES = 200;

/** The values of one figure in one session: all values, or evenly spaced quantiles instead. */
export interface Sample {
  /** How many values were measured. */
  readonly count: number;
  readonly values: ArrayLike<number>;
}

/** The latencies of an endpoint in one session; `count` is at least 1. */
export interface LatencySample extends Sample {
  /** Percentiles of all measured values. */
  readonly p50: Milliseconds;
  readonly p95: Milliseconds;
}

/** The sizes of an endpoint's responses in one session; `count` is at least 1. */
export interface SizeSample extends Sample {
  /** The mean of all measured values. */
  readonly mean: Bytes;
}

/** The stored values of an endpoint; `null` if it has none. */
export interface EndpointSamples {
  readonly latencies: LatencySample | null;
  readonly sizes: SizeSample | null;
}

/** A sample of ascending values, with at most `most` values. */
export function sampleOf(ascending: ArrayLike<number>, most: number): Sample {
  const count = ascending.length;
  if (count <= most) return { count, values: ascending };
  return { count, values: evenShares(most).map((share) => percentileOf(ascending, share)) };
}

/** A sample of latencies, which may be in any order; `null` if there are none. */
export function latencySampleIn(latencies: ArrayLike<Milliseconds>): LatencySample | null {
  if (latencies.length === 0) return null;
  const ascending = Float64Array.from(latencies).sort();
  const [p50, p95] = [percentileOf(ascending, 0.5), percentileOf(ascending, 0.95)];
  return { ...sampleOf(ascending, MOST_VALUES), p50, p95 };
}

/** A sample of sizes, which may be in any order; `null` if there are none. */
export function sizeSampleIn(sizes: readonly Bytes[]): SizeSample | null {
  if (sizes.length === 0) return null;
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  return { ...sampleOf(Float64Array.from(sizes).sort(), MOST_VALUES), mean };
}

/** The midpoints of `count` equal parts of 0 to 1. */
export function evenShares(count: number): number[] {
  return Array.from({ length: count }, (_, index) => (index + 0.5) / count);
}

/** A sample with all values of several samples. */
export function pooledOf(samples: readonly Sample[]): Sample {
  const values = new Float64Array(samples.reduce((sum, sample) => sum + sample.values.length, 0));
  let [offset, count] = [0, 0];
  for (const sample of samples) {
    values.set(sample.values, offset);
    offset += sample.values.length;
    count += sample.count;
  }
  return { count, values: values.sort() };
}

/**
 * Returns the value with this rank (0 is the smallest) among the first `count` values. Reorders these values, so that
 * smaller ones come before it and larger ones after it. Hoare's selection with the median of three as pivot: linear on
 * average, in place.
 */
export function selectRank(values: Float64Array, count: number, rank: number): number {
  let left = 0;
  let right = count - 1;
  while (left < right) {
    const pivot = middleOf(values, left, right);
    let low = left - 1;
    let high = right + 1;
    for (;;) {
      do low += 1;
      while (at(values, low) < pivot);
      do high -= 1;
      while (at(values, high) > pivot);
      if (low >= high) break;
      const moved = at(values, low);
      values[low] = at(values, high);
      values[high] = moved;
    }
    if (rank <= high) right = high;
    else left = high + 1;
  }
  return at(values, rank);
}

function middleOf(values: Float64Array, left: number, right: number): number {
  const first = at(values, left);
  const middle = at(values, (left + right) >>> 1);
  const last = at(values, right);
  if (first < middle) return Math.max(first, Math.min(middle, last));
  return Math.max(middle, Math.min(first, last));
}

function at(values: Float64Array, index: number): number {
  return values[index] as number;
}

/** The bounds, as ranks from 0; `null` if there are too few samples for a bound. */
interface PercentileInterval {
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
