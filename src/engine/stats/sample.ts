import type { Bytes, Milliseconds } from "../model/units.ts";
import { percentileOf } from "./percentile.ts";

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
