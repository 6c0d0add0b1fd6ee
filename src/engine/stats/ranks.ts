import { logChoose, normalAbove, studentOutside } from "./distributions.ts";
import { percentileOf, type Sample, sampleOf } from "./percentile.ts";

/**
 * Ranks, from 1. Equal values get the mean of their ranks. `ties`: the sum of t³ - t over all groups of t equal values.
 */
export interface Ranks {
  readonly ranks: Float64Array;
  readonly ties: number;
}

/** The indexes of the values, in ascending order of the values. */
export function orderOf(values: ArrayLike<number>): Uint32Array {
  const order = new Uint32Array(values.length);
  for (let index = 0; index < order.length; index += 1) order[index] = index;
  return order.sort((left, right) => (values[left] as number) - (values[right] as number));
}

/** The rank of each value, in the order of the values. `order`: `orderOf(values)`. */
export function ranksOf(values: ArrayLike<number>, order: Uint32Array = orderOf(values)): Ranks {
  const ranks = new Float64Array(values.length);
  let ties = 0;
  for (let from = 0; from < order.length; ) {
    const value = values[order[from] as number];
    let to = from + 1;
    while (to < order.length && values[order[to] as number] === value) to += 1;
    const size = to - from;
    ties += size ** 3 - size;
    for (let index = from; index < to; index += 1) ranks[order[index] as number] = (from + 1 + to) / 2;
    from = to;
  }
  return { ranks, ties };
}

/** Up to this many values, p is exact: without ties, and with ties, which take longer. */
const EXACT_UP_TO = 50;
const EXACT_WITH_TIES_UP_TO = 20;

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
  if (left.count === count && right.count === others) {
    if (ties === 0 || count + others > EXACT_WITH_TIES_UP_TO) return test;
    const { ranks } = ranksOf([...Array.from(left.values), ...Array.from(right.values)]);
    return { ...test, p: assignedP(ranks, count) };
  }
  const tied = ties / ((count + others) ** 3 - (count + others));
  const all = left.count + right.count;
  const u = test.superiority * left.count * right.count;
  return { u, p: approximateP(u, left.count, right.count, tied * (all ** 3 - all)), superiority: test.superiority };
}

/**
 * The smallest p that samples of these sizes can have: without overlap. 0 where p is not exact, or values are equal.
 */
export function leastP(left: Sample, right: Sample): number {
  const all = left.count + right.count;
  if (all > EXACT_UP_TO || new Set([...Array.from(left.values), ...Array.from(right.values)]).size < all) return 0;
  return Math.min(1, 2 * Math.exp(-logChoose(all, left.count)));
}

/** As in `MannWhitney`, without a test. Neither sample may be empty. */
export function superiorityOf(left: Sample, right: Sample): number {
  const [count, others] = [left.values.length, right.values.length];
  const { rankSum } = mergedRanks(typed(left.values), typed(right.values));
  return (rankSum - (count * (count + 1)) / 2) / (count * others);
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
 * The share of all choices of `count` ranks whose sum is at least as far from its mean as that of the first `count`
 * ranks. `ranks`: as in `Ranks`, whose doubles are whole numbers.
 */
function assignedP(ranks: Float64Array, count: number): number {
  const all = ranks.length;
  /** For each number of chosen ranks, how many choices give each doubled sum. */
  const ways = Array.from({ length: count + 1 }, () => new Float64Array(all * (all + 1) + 1));
  (ways[0] as Float64Array)[0] = 1;
  let own = 0;
  for (const [index, rank] of ranks.entries()) {
    if (index < count) own += 2 * rank;
    for (let chosen = count; chosen > 0; chosen -= 1) {
      const [into, from] = [ways[chosen] as Float64Array, ways[chosen - 1] as Float64Array];
      for (let sum = 2 * rank; sum < into.length; sum += 1)
        into[sum] = (into[sum] as number) + (from[sum - 2 * rank] as number);
    }
  }
  const mean = count * (all + 1);
  let [asFar, total] = [0, 0];
  for (const [sum, number] of (ways[count] as Float64Array).entries()) {
    total += number;
    if (Math.abs(sum - mean) >= Math.abs(own - mean)) asFar += number;
  }
  return asFar / total;
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

interface Correlation {
  /** From -1 to 1; 0 if all values of one side are equal. */
  readonly rho: number;
  /** The two-sided p, by Student's t with n - 2 degrees of freedom. */
  readonly p: number;
}

/** Spearman's rank correlation of pairs. With fewer than 3 pairs, `rho` is 0 and `p` is 1. */
export function spearman(xs: ArrayLike<number>, ys: ArrayLike<number>): Correlation {
  return correlationOfRanks(ranksOf(xs).ranks, ranksOf(ys).ranks);
}

/** Pearson's correlation of values that are already ranks. */
export function correlationOfRanks(xs: ArrayLike<number>, ys: ArrayLike<number>): Correlation {
  const n = xs.length;
  const rho = pearson(xs, ys);
  if (n < 3 || rho === 0) return { rho: 0, p: 1 };
  const rest = 1 - rho * rho;
  if (rest <= 1e-12) return { rho, p: studentOutside(rho * Math.sqrt((n - 2) / 1e-12), n - 2) };
  return { rho, p: studentOutside(rho * Math.sqrt((n - 2) / rest), n - 2) };
}

/** Pearson's correlation; 0 if all values of one side are equal. */
function pearson(xs: ArrayLike<number>, ys: ArrayLike<number>): number {
  const n = xs.length;
  let [sumX, sumY] = [0, 0];
  for (let index = 0; index < n; index += 1) {
    sumX += xs[index] as number;
    sumY += ys[index] as number;
  }
  const [meanX, meanY] = [sumX / n, sumY / n];
  let [xx, yy, xy] = [0, 0, 0];
  for (let index = 0; index < n; index += 1) {
    const x = (xs[index] as number) - meanX;
    const y = (ys[index] as number) - meanY;
    xx += x * x;
    yy += y * y;
    xy += x * y;
  }
  return xx === 0 || yy === 0 ? 0 : Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)));
}

/** By how much values of one sample exceed those of another, with its interval of 95 %. */
export interface Shift {
  readonly middle: number;
  readonly low: number;
  readonly high: number;
}

/** The most values of each sample that are paired; larger samples are replaced by their quantiles. */
const MOST_PAIRED = 300;

const Z = 1.96;

/**
 * The median of all differences `left` − `right`, and the interval that the Mann-Whitney test gives (Hodges and
 * Lehmann, 1963). `null` if a sample is empty, or if the values are too few for an interval.
 */
export function shiftOf(left: Sample, right: Sample): Shift | null {
  const [count, others] = [left.count, right.count];
  const share = 0.5 - (Z + 0.5 / Math.sqrt(count * others)) * Math.sqrt((count + others + 1) / (12 * count * others));
  // With less than one pair beside each end, no interval holds 95 %.
  if (!(share * count * others >= 1)) return null;
  const differences = differencesOf(
    sampleOf(left.values, MOST_PAIRED).values,
    sampleOf(right.values, MOST_PAIRED).values,
  );
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
