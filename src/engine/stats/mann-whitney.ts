import { normalAbove } from "./distributions.ts";
import type { Sample } from "./sample.ts";

/** Up to this many values, and without ties, p is exact. */
const EXACT_UP_TO = 50;

export interface MannWhitney {
  /** The number of pairs in which the value of `left` is larger. A tie counts half. */
  readonly u: number;
  /** The two-sided p. */
  readonly p: number;
  /** The share of pairs in which the value of `left` is larger. */
  readonly superiority: number;
}

/**
 * Tests whether values of `left` tend to be larger or smaller than values of `right`. Neither may be empty. If a sample
 * has quantiles instead of all values, `superiority` comes from the quantiles. p comes from the number of values that
 * they stand for.
 */
export function mannWhitneyOf(left: Sample, right: Sample): MannWhitney {
  const { rankSum, ties } = mergedRanks(typed(left.values), typed(right.values));
  const [count, others] = [left.values.length, right.values.length];
  const test = rankSumTest(rankSum, count, others, ties);
  if (left.count === count && right.count === others) return test;
  const tied = ties / ((count + others) ** 3 - (count + others));
  const all = left.count + right.count;
  const u = test.superiority * left.count * right.count;
  return { u, p: approximateP(u, left.count, right.count, tied * (all ** 3 - all)), superiority: test.superiority };
}

/**
 * The sum of the ranks that the values of `left` have among all values. Both lists must ascend. `ties`: as in `Ranks`.
 */
function mergedRanks(left: Float64Array, right: Float64Array): { rankSum: number; ties: number } {
  let [rankSum, ties, fromLeft, fromRight] = [0, 0, 0, 0];
  while (fromLeft < left.length || fromRight < right.length) {
    const [own, other] = [left[fromLeft] ?? Number.POSITIVE_INFINITY, right[fromRight] ?? Number.POSITIVE_INFINITY];
    const value = Math.min(own, other);
    const ranked = fromLeft + fromRight;
    const begin = fromLeft;
    while (left[fromLeft] === value) fromLeft += 1;
    while (right[fromRight] === value) fromRight += 1;
    const equal = fromLeft + fromRight - ranked;
    rankSum += (fromLeft - begin) * (ranked + (equal + 1) / 2);
    if (equal > 1) ties += equal * equal * equal - equal;
  }
  return { rankSum, ties };
}

/** The values as a Float64Array, since a loop over several kinds of arrays is several times slower. */
function typed(values: ArrayLike<number>): Float64Array {
  return values instanceof Float64Array ? values : Float64Array.from(values);
}

/**
 * As `mannWhitneyOf`, for a rank sum that is already known. `count` and `others`: the sizes of the two samples; `ties`:
 * as in `Ranks`.
 */
export function rankSumTest(rankSum: number, count: number, others: number, ties: number): MannWhitney {
  const u = rankSum - (count * (count + 1)) / 2;
  const isExact = ties === 0 && count + others <= EXACT_UP_TO;
  const p = isExact ? exactP(u, count, others) : approximateP(u, count, others, ties);
  return { u, p, superiority: u / (count * others) };
}

/** p by the normal approximation, corrected for ties and continuity. */
function approximateP(u: number, m: number, n: number, ties: number): number {
  const all = m + n;
  const variance = ((m * n) / 12) * (all + 1 - ties / (all * (all - 1)));
  if (variance <= 0) return 1;
  const distance = Math.max(0, Math.abs(u - (m * n) / 2) - 0.5);
  return Math.min(1, 2 * normalAbove(distance / Math.sqrt(variance)));
}

function exactP(u: number, m: number, n: number): number {
  const counts = rankSumCounts(m, n);
  const extreme = Math.min(u, m * n - u);
  let below = 0;
  let total = 0;
  for (const [index, count] of counts.entries()) {
    total += count;
    if (index <= extreme) below += count;
  }
  return Math.min(1, (2 * below) / total);
}

/**
 * How many of the possible orders of m and n values give each u. The counts are the coefficients of the Gaussian
 * binomial, computed by its product form.
 */
function rankSumCounts(m: number, n: number): Float64Array {
  const counts = new Float64Array(m * n + 1);
  counts[0] = 1;
  for (let factor = 1; factor <= m; factor += 1) {
    for (let index = m * n; index >= n + factor; index -= 1)
      counts[index] = (counts[index] as number) - (counts[index - n - factor] as number);
    for (let index = factor; index <= m * n; index += 1)
      counts[index] = (counts[index] as number) + (counts[index - factor] as number);
  }
  return counts;
}
