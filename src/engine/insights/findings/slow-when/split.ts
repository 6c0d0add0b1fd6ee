import { orderOf, spearman } from "../../../stats/ranks.ts";
import type { Request } from "../traffic.ts";
import { type CategoryColumn, type NumberColumn, TIERS, type Tier } from "./column.ts";
import { type Difference, type Durations, LEAST_SLOW } from "./durations.ts";

/** A number in a request that correlates with the clock at least this strongly is a time. */
const CLOCK = 0.95;

/** At least this share of the requests must have the numeric attribute. */
const LEAST_SHARE_WITH_NUMBER = 0.8;

/** The requests that share an attribute's value, compared with all other requests of the endpoint. */
export interface Split extends Difference {
  readonly attribute: { readonly name: string; readonly value: string };
  readonly tier: Tier;
  readonly carries: (request: Request) => boolean;
  /** Whether the split's requests have any value except the named one. */
  readonly isNegative: boolean;
  /** Whether the split's requests are those in a range of numbers. */
  readonly isRange: boolean;
}

/** The splits of one or more attributes, and how many were tried. */
export interface Splits {
  readonly splits: readonly Split[];
  readonly tried: number;
}

/** All splits by the values of an attribute, and how many were tried. */
export function categorySplits(column: CategoryColumn, durations: Durations): Splits {
  const { requests } = durations;
  // The indexes of the requests with each value, and of those with any.
  const members = new Map<string, number[]>();
  const present: number[] = [];
  for (let index = 0; index < requests.length; index += 1) {
    const values = column.valuesOf(requests[index] as Request);
    if (values.length > 0) present.push(index);
    // No `for of`: its iterators cost more than the rest.
    for (let at = 0; at < values.length; at += 1) {
      const value = values[at] as string;
      const own = members.get(value);
      if (own === undefined) {
        if (members.size < MOST_VALUES) members.set(value, [index]);
      } else if (own.at(-1) !== index) own.push(index);
    }
  }
  const splits: Split[] = [];
  let tried = 0;
  const isEnough = (count: number) => count >= LEAST_SLOW && requests.length - count >= LEAST_SLOW;
  const attempt = (value: string, own: readonly number[], carries: Split["carries"], isNegative = false) => {
    if (!isEnough(own.length)) return;
    tried += 1;
    const isMember = new Uint8Array(requests.length);
    for (const index of own) isMember[index] = 1;
    const result = durations.test(isMember);
    if (result !== null && result.effect >= (column.leastEffectOf?.(value) ?? 0))
      splits.push({
        ...result,
        attribute: { name: column.name, value },
        tier: column.tier,
        carries,
        isNegative,
        isRange: false,
      });
  };
  for (const [value, own] of members) attempt(value, own, (request) => column.valuesOf(request).includes(value));
  if (members.size >= 3 && members.size <= MOST_FOR_NEGATION)
    for (const [value, own] of members) {
      const others = without(present, own);
      const rest = [...members.keys()].filter((other) => other !== value).slice(0, 3);
      attempt(
        `not ${value} but ${rest.join(", ")}`,
        others,
        (request) => isOther(column.valuesOf(request), value),
        true,
      );
    }
  if (column.hasPresence) {
    if (members.size > 1) attempt("present", present, (request) => column.valuesOf(request).length > 0);
    if (isEnough(present.length))
      attempt("absent", without(requests.keys(), present), (request) => column.valuesOf(request).length === 0);
  }
  return { splits, tried };
}

function without(indexes: Iterable<number>, some: readonly number[]): readonly number[] {
  const out = new Set(some);
  return [...indexes].filter((index) => !out.has(index));
}

/** The most values of an attribute that are tried. An attribute with more values than this is usually an identifier. */
const MOST_VALUES = 200;

/** If an attribute has at most this many values, the opposite of each value is tried, too ("not HIT but …"). */
const MOST_FOR_NEGATION = 8;

function isOther(values: readonly string[], value: string): boolean {
  return values.length > 0 && !values.includes(value);
}

/** The best split by a threshold of a numeric attribute; also the best one by a middle range if `hasWindow`. */
export function numberSplit(column: NumberColumn, durations: Durations): Splits {
  const nothing = { splits: [], tried: 0 };
  const known = durations.requests.map(column.valueOf);
  if (known.every((value) => value === known[0])) return nothing;
  const has = known.filter((value) => value !== null).length;
  if (has < LEAST_SHARE_WITH_NUMBER * known.length) return nothing;
  const numbers = Float64Array.from(known.map((value) => value ?? 0));
  if (column.tier === TIERS.request && runsWithTheClock(numbers, durations.requests)) return nothing;
  const order = orderOf(numbers);
  const best = durations.threshold(numbers, order);
  if (best === null || (column.isUpwards && !best.isAbove)) return nothing;
  const { limit, isAbove } = best;
  const found: Split[] = [];
  const split = rangeSplit(column, durations, numbers, {
    from: isAbove ? limit : Number.NEGATIVE_INFINITY,
    to: isAbove ? Number.POSITIVE_INFINITY : limit,
    text: `${isAbove ? "at least" : "at most"} ${column.textOf(limit)}`,
    tried: Math.min(best.tried, MOST_THRESHOLDS),
  });
  if (split !== null) {
    const { rho } = durations.correlation(numbers, order);
    found.push({ ...split, explained: Math.max(split.explained, rho ** 2 * 0.999) });
  }
  const window = column.hasWindow ? durations.window(numbers, order) : null;
  const text = window === null ? "" : `from ${column.textOf(window.from)} to ${column.textOf(window.to)}`;
  const during = window === null ? null : rangeSplit(column, durations, numbers, { ...window, text });
  if (during !== null) found.push(during);
  return { splits: found, tried: 1 };
}

/** A range of a numeric attribute, both ends included. `tried`: the ranges among which it is the best. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly tried: number;
}

/** The split by a range. Its p is corrected, because the rank test does not know that the range is the best of many. */
function rangeSplit(
  column: NumberColumn,
  durations: Durations,
  numbers: Float64Array,
  { from, to, text, tried }: Range,
): Split | null {
  const result = durations.test(Uint8Array.from(numbers, (value) => (value >= from && value <= to ? 1 : 0)));
  if (result === null) return null;
  const carries = (request: Request) => {
    const value = column.valueOf(request);
    return value !== null && value >= from && value <= to;
  };
  const [p, attribute] = [Math.min(1, result.p * tried), { name: column.name, value: text }];
  return { ...result, p, attribute, tier: column.tier, carries, isNegative: false, isRange: true };
}

/** At most this many thresholds count as independent, since neighbouring thresholds give nearly the same test. */
const MOST_THRESHOLDS = 20;

function runsWithTheClock(numbers: Float64Array, requests: readonly Request[]): boolean {
  const starts = Float64Array.from(requests.map(({ start }) => start));
  return Math.abs(spearman(numbers, starts).rho) >= CLOCK;
}
