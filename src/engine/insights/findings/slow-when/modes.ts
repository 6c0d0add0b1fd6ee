import type { Milliseconds } from "../../../model/units.ts";
import { binomialAtLeast, normalAbove } from "../../../stats/distributions.ts";
import { fisherExact } from "../../../stats/fisher-exact.ts";
import { medianOf } from "../../../stats/percentile.ts";
import { variationOf } from "../../../stats/variation.ts";
import { groupedBy } from "../../grouped.ts";
import { pairsIn } from "../numbers.ts";
import type { Request } from "../traffic.ts";
import { durationOf, LEAST_REQUESTS, LEAST_SLOW } from "./durations.ts";

/** The p below which two modes, and an order of slow and quick requests, are significant. */
const SIGNIFICANT = 0.001;

/** The median of the slow mode is at least this many times that of the quick one. */
const LEAST_EFFECT = 2;

/**
 * A slow mode that varies by less than this (coefficient of variation) is a fixed time, if it is this many times the
 * usual one and this long.
 */
const NARROW = 0.1;
const LEAST_PLATEAU_EFFECT = 4;
const LEAST_PLATEAU: Milliseconds = 200;
const MOST_PLATEAU_SHARE = 0.45;

/** Of two modes in no order, each has at least this share, also among requests that were sent before. */
const LEAST_HALF = 0.3;
const LEAST_REPEATS = 10;

/** The most gaps between durations that are tried as the cut. */
const MOST_CUTS = 8;

/** The share of a mode's durations that are its core. */
const CORE = 0.75;

/** Measured times are whole milliseconds in some files. */
const RESOLUTION: Milliseconds = 0.5;

/** Two modes of an endpoint's durations that no attribute tells apart. */
export interface Modes {
  /** `in-turn`: slow and quick requests alternate; `fixed`: the slow ones all take about one time; `two`: neither. */
  readonly sort: "in-turn" | "fixed" | "two";
  readonly slow: readonly Request[];
  readonly quick: readonly Request[];
  /** The medians of the modes, and the duration between them. */
  readonly median: Milliseconds;
  readonly usual: Milliseconds;
  readonly cut: Milliseconds;
}

/** The modes of an endpoint's requests, by start; `null` if they have one mode, or two that a cache explains. */
export function modesOf(requests: readonly Request[]): Modes | null {
  if (requests.length < LEAST_REQUESTS) return null;
  const cut = cutBetweenModes(Float64Array.from(requests.map(durationOf)).sort());
  if (cut === null) return null;
  const isSlow = (request: Request) => durationOf(request) > cut;
  const [slow, quick] = [requests.filter(isSlow), requests.filter((request) => !isSlow(request))];
  const [median, usual] = [medianOf(slow.map(durationOf)), medianOf(quick.map(durationOf))];
  if (median < LEAST_EFFECT * usual) return null;
  const repeats = repeatsOf(requests);
  if (areFirstUses(slow, quick, repeats) || arePathsOfTheirOwn(slow, quick)) return null;
  const sort = sortOf(requests.map(isSlow), slow, repeats, { median, usual });
  return sort === null ? null : { sort, slow, quick, median, usual, cut };
}

function sortOf(
  order: readonly boolean[],
  slow: readonly Request[],
  repeats: ReadonlySet<Request>,
  { median, usual }: Pick<Modes, "median" | "usual">,
): Modes["sort"] | null {
  const share = slow.length / order.length;
  const z = runsOf(order);
  if (normalAbove(z) < SIGNIFICANT) return "in-turn";
  const isLong = median >= LEAST_PLATEAU && median >= LEAST_PLATEAU_EFFECT * usual;
  if (isLong && share <= MOST_PLATEAU_SHARE && variationOf(slow.map(durationOf)) < NARROW) return "fixed";
  // Slow requests that come together are a bad time of the server, and no second server.
  if (normalAbove(-z) < 0.01 || share < LEAST_HALF || share > 1 - LEAST_HALF) return null;
  const slowRepeats = slow.filter((one) => repeats.has(one)).length;
  return repeats.size >= LEAST_REPEATS && slowRepeats >= LEAST_HALF * repeats.size ? "two" : null;
}

/** How many more runs of equal values there are than in a random order, in standard deviations (Wald and Wolfowitz). */
function runsOf(order: readonly boolean[]): number {
  const count = order.length;
  const slow = order.filter(Boolean).length;
  const runs = 1 + pairsIn(order).filter(([before, one]) => before !== one).length;
  const product = 2 * slow * (count - slow);
  const variance = (product * (product - count)) / (count ** 2 * (count - 1));
  return variance <= 0 ? 0 : (runs - 1 - product / count) / Math.sqrt(variance);
}

/** The requests that were sent before with the same method, target and body. */
function repeatsOf(requests: readonly Request[]): ReadonlySet<Request> {
  const known = new Set<string>();
  return new Set(
    requests.filter(({ facts: { exchange, requestBody } }) => {
      const key = `${exchange.method} ${exchange.target}\n${requestBody.hash ?? exchange.id}`;
      if (known.has(key)) return true;
      known.add(key);
      return false;
    }),
  );
}

/** Whether most slow requests have a path that is mostly slow: a template may hold endpoints that differ. */
function arePathsOfTheirOwn(slow: readonly Request[], quick: readonly Request[]): boolean {
  const [slowPaths, quickPaths] = [groupedBy(slow, ({ path }) => path), groupedBy(quick, ({ path }) => path)];
  let own = 0;
  for (const [path, requests] of slowPaths)
    if (requests.length >= 2 && requests.length > 2 * (quickPaths.get(path)?.length ?? 0)) own += requests.length;
  return 2 * own > slow.length;
}

/** Whether requests are slow because they are the first of their kind, which a cache explains. */
function areFirstUses(slow: readonly Request[], quick: readonly Request[], repeats: ReadonlySet<Request>): boolean {
  const [slowFirsts, quickFirsts] = [slow, quick].map((own) => own.filter((one) => !repeats.has(one)).length) as [
    number,
    number,
  ];
  if (slowFirsts / slow.length <= quickFirsts / quick.length) return false;
  return fisherExact(slowFirsts, slow.length - slowFirsts, quickFirsts, quick.length - quickFirsts) < 0.05;
}

/**
 * The duration between two modes; `null` if the distribution may have one mode. Between the densest parts of both
 * sides, durations must be rarer than within them, by binomial tests on a logarithmic scale: with one mode, the density
 * between two intervals is never below both.
 */
function cutBetweenModes(ascending: Float64Array): Milliseconds | null {
  const count = ascending.length;
  const logs = ascending.map((value) => Math.log(Math.max(RESOLUTION, value)));
  const gapAt = (index: number) => (logs[index] ?? 0) - (logs[index - 1] ?? 0);
  const cuts: number[] = [];
  for (let index = LEAST_SLOW; index <= count - LEAST_SLOW; index += 1) {
    let wider = cuts.length;
    while (wider > 0 && gapAt(index) > gapAt(cuts[wider - 1] as number)) wider -= 1;
    if (wider < MOST_CUTS) cuts.splice(wider, 0, index);
    if (cuts.length > MOST_CUTS) cuts.pop();
  }
  for (const index of cuts) {
    const [low, high] = [coreOf(ascending, 0, index), coreOf(ascending, index, count)];
    const between = high.from - low.to - 1;
    const width = Math.log(ascending[high.from] ?? 1) - Math.log(Math.max(RESOLUTION, ascending[low.to] ?? 1));
    // The whole range between the cores may hold values; the gap at the cut holds none.
    const [wide, empty] = [
      [between, width],
      [0, gapAt(index)],
    ].map(([held = 0, length = 0]) =>
      Math.max(...[low, high].map((core) => rarerBetween(held, length, core.to - core.from - 1, core.width))),
    );
    const p = Math.min(1, 2 * Math.min(wide ?? 1, empty ?? 1));
    // Each cut and each place of a core is a comparison. The widest gap that holds is the cut.
    if (p * count ** 2 < SIGNIFICANT || isApart(ascending, index, low, gapAt(index)))
      return Math.sqrt(Math.max(RESOLUTION, ascending[index - 1] ?? 0) * (ascending[index] ?? 0));
  }
  return null;
}

/**
 * Whether all values from `index` on are a mode of their own: beyond the densest part, the density of one mode only
 * falls, so in the gap before them it would be at least theirs. Only the cut is chosen, not the interval above it.
 */
function isApart(ascending: Float64Array, index: number, low: ReturnType<typeof coreOf>, gap: number): boolean {
  const count = ascending.length;
  const width = Math.log(((ascending[count - 1] ?? 0) + RESOLUTION) / ((ascending[index] ?? 0) - RESOLUTION));
  const fromCore = rarerBetween(0, gap, low.to - low.from - 1, low.width);
  const fromAll = rarerBetween(0, gap, count - index - 2, width);
  return 3 * Math.max(fromCore * count ** 2, fromAll * count) < SIGNIFICANT;
}

/**
 * The shortest interval with the share `CORE` of the values from `begin` to before `end`: its first and last index, its
 * logarithmic width.
 */
function coreOf(ascending: Float64Array, begin: number, end: number) {
  const size = Math.max(3, Math.ceil(CORE * (end - begin)));
  let best = { from: begin, to: end - 1, width: Number.POSITIVE_INFINITY };
  for (let from = begin; from + size <= end; from += 1) {
    const to = from + size - 1;
    const low = Math.max(RESOLUTION / 2, (ascending[from] ?? 0) - RESOLUTION);
    const width = Math.log(((ascending[to] ?? 0) + RESOLUTION) / low);
    if (width < best.width) best = { from, to, width };
  }
  return best;
}

/** The probability of at most `between` values in a width, if the density there is that of a core. */
function rarerBetween(between: number, width: number, core: number, coreWidth: number): number {
  if (width <= 0 || core <= 0) return 1;
  return binomialAtLeast(core, core + between, coreWidth / (width + coreWidth));
}
