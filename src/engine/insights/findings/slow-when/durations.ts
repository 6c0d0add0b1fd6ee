import type { Milliseconds } from "../../../model/units.ts";
import { percentileOf } from "../../../stats/percentile.ts";
import { correlationOfRanks, orderOf, rankSumTest, ranksOf } from "../../../stats/ranks.ts";
import type { Request } from "../traffic.ts";

/**
 * docs/specification.md: the fewest slow requests (`LEAST_SLOW`), the fewest requests (`LEAST_REQUESTS`), and the least
 * ratio of the medians (`LEAST_EFFECT`).
 */
export const LEAST_SLOW = 5;
export const LEAST_REQUESTS = 20;
export const LEAST_EFFECT = 1.5;

/**
 * The most steps into which the sorted values of a numeric attribute are divided, to find the range in which requests
 * are slow.
 */
const MOST_STEPS = 40;

/** How the requests with an attribute differ from the others. */
export interface Difference {
  /** Two-sided p, not corrected for the number of comparisons. */
  readonly p: number;
  /** The median with the attribute, divided by the median without. */
  readonly effect: number;
  /** The share of the variance of log(duration) that the attribute explains, 0 to 1. */
  readonly explained: number;
}

/** From the first byte sent to the last received: without the wait for a connection, and its set-up. */
export function exchangeTimeOf({ upload, server, transfer }: Request): Milliseconds {
  return upload + (server ?? 0) + transfer;
}

/** What causes are sought for: connections and delayed acknowledgements are left out, since other kinds report them. */
export function durationOf(request: Request): Milliseconds {
  return exchangeTimeOf(request) - request.acknowledgementDelay;
}

/** What `durationOf` leaves out, as a sentence. */
export function leftOutOfDurations(requests: readonly Request[]): string {
  const hasDelay = requests.some(({ acknowledgementDelay }) => acknowledgementDelay > 0);
  return `All times leave out connection set-up${hasDelay ? " and delayed acknowledgements" : ""}.`;
}

/** The durations of one endpoint's requests, prepared once for all comparisons. */
export class Durations {
  readonly requests: readonly Request[];
  readonly values: Float64Array;
  readonly #logs: Float64Array;
  readonly #order: Uint32Array;
  readonly #ranks: Float64Array;
  readonly #ties: number;
  readonly #mean: number;
  readonly #variance: number;

  constructor(requests: readonly Request[], durationOf: (request: Request) => number) {
    this.requests = requests;
    this.values = Float64Array.from(requests.map(durationOf));
    this.#logs = this.values.map((value) => Math.log(Math.max(0.1, value)));
    this.#order = orderOf(this.values);
    const { ranks, ties } = ranksOf(this.values, this.#order);
    this.#ranks = ranks;
    this.#ties = ties;
    this.#mean = this.#logs.reduce((sum, log) => sum + log, 0) / requests.length;
    this.#variance = this.#logs.reduce((sum, log) => sum + (log - this.#mean) ** 2, 0) / requests.length;
  }

  /**
   * Compares `members` with the other requests. `null` if either side has too few requests, or if the members are not
   * at least 1.5 times as slow as the others.
   */
  test(members: Uint8Array): Difference | null {
    let [within, rankSum, logSum] = [0, 0, 0];
    for (let index = 0; index < members.length; index += 1) {
      if (members[index] === 0) continue;
      within += 1;
      rankSum += this.#ranks[index] as number;
      logSum += this.#logs[index] as number;
    }
    const without = members.length - within;
    if (within < LEAST_SLOW || without < LEAST_SLOW) return null;
    const distance = logSum / within - this.#mean;
    // Most members are no slower than the others, which needs no median.
    if (distance <= 0) return null;
    const [inside, outside] = [new Float64Array(within), new Float64Array(without)];
    let position = 0;
    for (let rank = 0; rank < members.length; rank += 1) {
      const index = this.#order[rank] as number;
      const value = this.values[index] as number;
      if (members[index] === 0) outside[rank - position] = value;
      else {
        inside[position] = value;
        position += 1;
      }
    }
    const effect = percentileOf(inside, 0.5) / Math.max(0.1, percentileOf(outside, 0.5));
    if (effect < LEAST_EFFECT) return null;
    const { p } = rankSumTest(rankSum, within, without, this.#ties);
    const between = (within / without) * distance ** 2;
    return { p, effect, explained: between / this.#variance };
  }

  /**
   * The threshold of a numeric attribute that best separates slow from quick requests, and whether the slow ones are
   * above it. `null` if there is none. `order`: `orderOf(numbers)`.
   */
  threshold(
    numbers: Float64Array,
    order: Uint32Array,
  ): { readonly limit: number; readonly isAbove: boolean; readonly tried: number } | null {
    let [sum, tried, best, at] = [0, 0, 0, -1];
    for (let index = 1; index <= order.length - LEAST_SLOW; index += 1) {
      sum += (this.#logs[order[index - 1] as number] as number) - this.#mean;
      const isStep = numbers[order[index] as number] !== numbers[order[index - 1] as number];
      if (index < LEAST_SLOW || !isStep) continue;
      tried += 1;
      const between = sum ** 2 / (index * (order.length - index));
      if (between > best) [best, at] = [between, index];
    }
    if (at < 0) return null;
    const below = order.subarray(0, at).reduce((total, index) => total + (this.#logs[index] as number) - this.#mean, 0);
    const [low, high] = [numbers[order[at - 1] as number] as number, numbers[order[at] as number] as number];
    return below < 0 ? { limit: high, isAbove: true, tried } : { limit: low, isAbove: false, tried };
  }

  /**
   * The range of a numeric attribute that best separates slow requests from the others. Its ends are quantiles. `null`
   * if there is none. `order`: `orderOf(numbers)`.
   */
  window(
    numbers: Float64Array,
    order: Uint32Array,
  ): { readonly from: number; readonly to: number; readonly tried: number } | null {
    const count = order.length;
    const steps = Math.min(MOST_STEPS, Math.floor(count / LEAST_SLOW));
    const edges = Array.from({ length: steps + 1 }, (_, step) => Math.floor((step * count) / steps));
    const sums = new Float64Array(count + 1);
    for (let index = 0; index < count; index += 1)
      sums[index + 1] = (sums[index] as number) + (this.#logs[order[index] as number] as number) - this.#mean;
    let best: { readonly low: number; readonly high: number; readonly between: number } | null = null;
    for (const [first, low] of edges.entries())
      for (const high of edges.slice(first + 1)) {
        const inside = high - low;
        const sum = (sums[high] as number) - (sums[low] as number);
        if (sum <= 0 || inside < LEAST_SLOW || count - inside < LEAST_SLOW) continue;
        const between = sum ** 2 / (inside * (count - inside));
        if (best === null || between > best.between) best = { low, high, between };
      }
    if (best === null) return null;
    const [from, to] = [
      numbers[order[best.low] as number] as number,
      numbers[order[best.high - 1] as number] as number,
    ];
    return { from, to, tried: (steps * (steps + 1)) / 2 };
  }

  /** Spearman's correlation of the durations with a numeric attribute. `order`: `orderOf(numbers)`. */
  correlation(numbers: Float64Array, order: Uint32Array): { readonly rho: number; readonly p: number } {
    return correlationOfRanks(ranksOf(numbers, order).ranks, this.#ranks);
  }
}
