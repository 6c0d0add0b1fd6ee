import { isTooUncertain } from "../../../model/exchange.ts";
import type { Bytes, Milliseconds } from "../../../model/units.ts";
import { fisherExact } from "../../../stats/fisher-exact.ts";
import { holm } from "../../../stats/holm.ts";
import { medianOf } from "../../../stats/percentile.ts";
import { valleyOf } from "../../../stats/valley.ts";
import { isPreflight, isSureBeside } from "../request.ts";
import { isAwaited, type Request } from "../traffic.ts";
import { TIERS } from "./column.ts";
import { categoryColumns, namesIn, numberColumns, operationColumn, statusColumn } from "./columns.ts";
import { Durations, durationOf, LEAST_REQUESTS, LEAST_SLOW } from "./durations.ts";
import { firstUseSplits } from "./first-use.ts";
import type { Load } from "./load.ts";
import { meanwhileSplits } from "./meanwhile.ts";
import { categorySplits, numberSplit, type Split, type Splits } from "./split.ts";

/** A `Split` is significant if its corrected p is below this value. */
export const SIGNIFICANT = 0.01;

/** A split that explains less than this share of the variance is no cause. */
const LEAST_EXPLAINED = 0.2;

/**
 * A split counts as equal to the best one if it explains at least this share of what the best one explains. Of these
 * splits, the most direct one is named.
 */
const AS_GOOD_FROM = 0.85;

/**
 * The share of the best split's explanation from which a split known before the response is named instead of an
 * outcome.
 */
const BEFORE_OUTCOME_FROM = 0.5;

/** A TCP segment: sizes that differ by less than this cannot take the time. */
const LEAST_SIZE_DIFFERENCE: Bytes = 1_460;

/** The most requests of an endpoint that are examined, evenly spaced. */
const MOST_LOOKED_AT = 4_000;

/** An attribute that the slow requests share and the others lack. `leftOut`: requests too uncertain to be compared. */
export interface Explanation {
  readonly split: Split;
  /** The requests with the attribute, and those without it. Both lists keep the order of the requests. */
  readonly inside: readonly Request[];
  readonly outside: readonly Request[];
  /** The median duration with the attribute, and without it. */
  readonly median: Milliseconds;
  readonly usual: Milliseconds;
  /** The duration above which a request is slow, and the number of slow requests with and without the attribute. */
  readonly cut: Milliseconds;
  readonly slow: { readonly with: number; readonly without: number };
  /** The number of comparisons for which the test was corrected. */
  readonly tried: number;
  readonly leftOut: readonly Request[];
  /** Other attributes of exactly the same requests: nothing tells which of them is the cause. */
  readonly alike: readonly Split["attribute"][];
}

/**
 * Whether the request can be compared: it is no preflight, and has a complete response for which the client waits.
 * Redirects and 304s do not count, since they are usually fast.
 */
export function isComparable(request: Request): boolean {
  const { status } = request;
  if (request.latency === null || status === null || !isAwaited(request) || isPreflight(request)) return false;
  return status >= 200 && (status < 300 || status >= 400);
}

/**
 * The explanation of `explanationAmong`, without the requests whose uncertainty could put them on the other side of the
 * cut.
 */
export function explanationOf(all: readonly Request[], load: Load, endpoints: number): Explanation | null {
  const found = explanationAmong(all, load, endpoints);
  if (!all.some(isTooUncertain)) return found;
  const explanation =
    found ??
    explanationAmong(
      all.filter((request) => !isTooUncertain(request)),
      load,
      endpoints,
    );
  if (explanation === null) return null;
  const { split, cut, tried } = explanation;
  const isSure = (request: Request) => isSureBeside(cut, durationOf(request), request);
  const compared = comparedBy(split, all);
  const surely = explanationBy(split, compared.filter(isSure), tried);
  if (surely === null) return null;
  return { ...surely, leftOut: compared.filter((request) => !isSure(request)), alike: explanation.alike };
}

/**
 * Explains the durations of comparable requests. Each slice of work examines one attribute. `endpoints`: how many
 * endpoints of the session are explained, to correct p.
 */
function explanationAmong(all: readonly Request[], load: Load, endpoints: number): Explanation | null {
  if (all.length < LEAST_REQUESTS) return null;
  const own = successesOr(all);
  const sample = evenlySpaced(own);
  const durations = new Durations(sample, durationOf);
  const splits: Split[] = [];
  let tried = 0;
  const take = (result: Splits) => {
    splits.push(...result.splits);
    tried += result.tried;
  };
  const names = namesIn(sample);
  for (const column of [...categoryColumns(sample, names), operationColumn]) {
    take(categorySplits(column, durations));
  }
  for (const column of numberColumns(sample, names, load)) {
    const result = numberSplit(column, durations);
    take({ ...result, splits: result.splits.filter((split) => !isTooSmallASize(split, sample)) });
  }
  take(meanwhileSplits(durations, load));
  take(firstUseSplits(all, durations));
  take(all.length > own.length ? slowStatus(all) : categorySplits(statusColumn, durations));
  tried *= endpoints;
  const held = significantOf(splits, tried).filter(({ explained }) => explained >= LEAST_EXPLAINED);
  const best = mostDirect(held);
  const explanation = best === null ? null : explanationBy(best, comparedBy(best, all), tried);
  return explanation === null ? null : { ...explanation, alike: alikeOf(explanation.split, held, sample) };
}

function alikeOf(named: Split, held: readonly Split[], sample: readonly Request[]): Explanation["alike"] {
  const isAlike = ({ attribute, tier, isNegative, isRange, carries }: Split) =>
    attribute.name !== named.attribute.name &&
    tier !== TIERS.consequence &&
    !(isNegative || isRange) &&
    sample.every((request) => carries(request) === named.carries(request));
  return held.filter(isAlike).map(({ attribute }) => attribute);
}

/** Whether the responses with the attribute are larger, but by so little that they come in the same packets. */
function isTooSmallASize({ attribute, carries }: Split, sample: readonly Request[]): boolean {
  if (attribute.name !== "response-size") return false;
  const sizeOf = ({ facts }: Request) => facts.exchange.encodedBodySize;
  const [large, small] = [sample.filter(carries), sample.filter((request) => !carries(request))];
  return Math.abs(medianOf(large.map(sizeOf)) - medianOf(small.map(sizeOf))) < LEAST_SIZE_DIFFERENCE;
}

/** The requests that a split divides: failures count only for the status, or if there are few successes. */
function comparedBy({ attribute }: Split, all: readonly Request[]): readonly Request[] {
  return attribute.name === "status" ? all : successesOr(all);
}

function successesOr(all: readonly Request[]): readonly Request[] {
  const successes = all.filter(({ status }) => (status ?? 0) < 400);
  return successes.length >= LEAST_REQUESTS ? successes : all;
}

/** The splits that stay significant after correction for all comparisons. */
export function significantOf(splits: readonly Split[], tried: number): readonly Split[] {
  const corrected = holm(
    splits.map(({ p }) => p),
    Math.max(tried, splits.length),
  );
  return splits.filter((_, index) => (corrected[index] ?? 1) < SIGNIFICANT);
}

/**
 * The explanation that a split gives; `null` unless slow requests are clearly more frequent among the split's requests.
 */
export function explanationBy(split: Split, own: readonly Request[], tried: number): Explanation | null {
  const inside = own.filter(split.carries);
  const outside = own.filter((request) => !split.carries(request));
  const [median, usual] = [medianOf(inside.map(durationOf)), medianOf(outside.map(durationOf))];
  const cut = cutOf(own, median, usual);
  const isSlow = (request: Request) => durationOf(request) > cut;
  const slow = { with: inside.filter(isSlow).length, without: outside.filter(isSlow).length };
  if (slow.with < LEAST_SLOW) return null;
  if (fisherExact(slow.with, inside.length - slow.with, slow.without, outside.length - slow.without) > SIGNIFICANT)
    return null;
  return { split, inside, outside, median, usual, cut, slow, tried, leftOut: [], alike: [] };
}

/**
 * The splits by a status of 400 or more, and how many were tried. These splits matter only if failures are slower than
 * successes, which is unusual.
 */
function slowStatus(all: readonly Request[]): Splits {
  const { splits, tried } = categorySplits(statusColumn, new Durations(evenlySpaced(all), durationOf));
  return { splits: splits.filter(({ attribute }) => Number(attribute.value) >= 400), tried };
}

/**
 * The split to name: of the splits that explain about as much as the best one, the first by tier. Within a tier, a
 * split that names a value comes before a negation; then the split that explains most comes first. An outcome is named
 * only if nothing known before the response explains half as much.
 */
export function mostDirect(splits: readonly Split[]): Split | null {
  const most = largestExplained(splits);
  const known = splits.filter(({ tier }) => tier !== TIERS.consequence);
  const named = largestExplained(known) >= BEFORE_OUTCOME_FROM * most ? known : splits;
  const good = named.filter(({ explained }) => explained >= AS_GOOD_FROM * largestExplained(named));
  const order = (left: Split, right: Split) =>
    left.tier - right.tier || Number(left.isNegative) - Number(right.isNegative) || right.explained - left.explained;
  return good.sort(order)[0] ?? null;
}

function largestExplained(splits: readonly Split[]): number {
  return Math.max(...splits.map(({ explained }) => explained));
}

export function evenlySpaced(requests: readonly Request[]): readonly Request[] {
  if (requests.length <= MOST_LOOKED_AT) return requests;
  const step = requests.length / MOST_LOOKED_AT;
  return Array.from({ length: MOST_LOOKED_AT }, (_, index) => requests[Math.floor(index * step)] as Request);
}

/** The duration that separates slow from quick: the valley between two modes, else halfway between the medians. */
function cutOf(own: readonly Request[], median: Milliseconds, usual: Milliseconds): Milliseconds {
  const valley = valleyOf(Float64Array.from(own.map(durationOf)).sort(), LEAST_SLOW);
  return valley?.cut ?? Math.sqrt(Math.max(0.1, median) * Math.max(0.1, usual));
}
