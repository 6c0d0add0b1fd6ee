import { percentileOf } from "./percentile.ts";
import { type Sample, sampleOf } from "./sample.ts";

/** By how much values of one sample exceed those of another, with its interval of 95 %. */
export interface Shift {
  readonly middle: number;
  readonly low: number;
  readonly high: number;
}

/** The most values of each sample that are paired; larger samples are replaced by their quantiles. */
const MOST = 300;

const Z = 1.96;

/**
 * The median of all differences `left` − `right`, and the interval that the Mann-Whitney test gives (Hodges and Lehmann,
 * 1963). `null` if a sample is empty, or if the values are too few for an interval.
 */
export function shiftOf(left: Sample, right: Sample): Shift | null {
  const [count, others] = [left.count, right.count];
  const share = 0.5 - (Z + 0.5 / Math.sqrt(count * others)) * Math.sqrt((count + others + 1) / (12 * count * others));
  // With less than one pair beside each end, no interval holds 95 %.
  if (!(share * count * others >= 1)) return null;
  const differences = differencesOf(sampleOf(left.values, MOST).values, sampleOf(right.values, MOST).values);
  return Object.freeze({
    middle: percentileOf(differences, 0.5),
    low: percentileOf(differences, share),
    high: percentileOf(differences, 1 - share),
  });
}

/** Ascending. */
function differencesOf(left: ArrayLike<number>, right: ArrayLike<number>): Float64Array {
  const differences = new Float64Array(left.length * right.length);
  for (let own = 0; own < left.length; own += 1)
    for (let other = 0; other < right.length; other += 1)
      differences[own * right.length + other] = (left[own] as number) - (right[other] as number);
  return differences.sort();
}
