import type { ComparedRow, ExchangeComparison } from "../../messages/difference-messages.ts";
import { PHASES, type Phases } from "../../model/phases.ts";
import type { Milliseconds } from "../../model/units.ts";
import { fisherExact } from "../../stats/fisher-exact.ts";
import { holm } from "../../stats/holm.ts";
import { percentileOf } from "../../stats/percentile.ts";
import { valleyOf } from "../../stats/valley.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import { exchangeTimeOf, LEAST_EFFECT, LEAST_REQUESTS, LEAST_SLOW } from "../findings/slow-when/durations.ts";
import { evenlySpaced, isComparable, SIGNIFICANT } from "../findings/slow-when/explanation.ts";
import { loadOf } from "../findings/slow-when/load.ts";
import type { Request } from "../findings/traffic.ts";
import { attributesOf } from "./attribute-values.ts";

/** The most rows, and the most characters of a value. */
const MOST_ROWS = 300;
const MOST_TEXT = 1_000;

/** One of two exchanges that are compared. */
export interface ComparedSide {
  readonly facts: ExchangeFacts;
  readonly phases: Phases;
  readonly latency: Milliseconds | null;
}

/** A row, and whether another request of the endpoint is like `one` in it; `null` if that is not counted. */
interface Candidate {
  readonly row: ComparedRow;
  readonly isLike: ((request: Request) => boolean) | null;
}

/**
 * In what two exchanges differ, and how many of the endpoint's slow requests and of its others are like `one` in it.
 * `own`: the requests of the endpoint of `one`; `all`: those of the session.
 */
export function exchangeDifferenceOf(
  one: ComparedSide,
  other: ComparedSide,
  own: readonly Request[],
  all: readonly Request[],
): Pick<ExchangeComparison, "rows" | "more" | "slowFrom"> {
  const candidates = [...textRows(one, other), ...numberRows(one, other, all), ...phaseRows(one, other)];
  const compared = own.filter(isComparable);
  const slowFrom = slowFromOf(compared);
  const rows = slowFrom === null ? candidates.map(({ row }) => row) : sharedRows(candidates, compared, slowFrom);
  return { slowFrom, rows: rows.slice(0, MOST_ROWS), more: Math.max(0, rows.length - MOST_ROWS) };
}

/** From where on a duration is slow: the valley between two modes, else the p95; `null` with too few requests. */
function slowFromOf(compared: readonly Request[]): Milliseconds | null {
  if (compared.length < LEAST_REQUESTS) return null;
  const durations = Float64Array.from(compared, exchangeTimeOf).sort();
  return valleyOf(durations, LEAST_SLOW)?.cut ?? percentileOf(durations, 0.95);
}

function textRows(one: ComparedSide, other: ComparedSide): readonly Candidate[] {
  const found: Candidate[] = [];
  for (const { group, name, textIn, isMinor } of attributesOf([one.facts, other.facts])) {
    const [value, otherValue] = [textIn(one.facts), textIn(other.facts)];
    if (value === otherValue) continue;
    const row = { ...UNCOUNTED, group, name, one: cut(value), other: cut(otherValue), isMinor };
    found.push({ row, isLike: ({ facts }) => textIn(facts) === value });
  }
  return found;
}

function numberRows({ facts: one }: ComparedSide, { facts: other }: ComparedSide, all: readonly Request[]) {
  const load = loadOf(all, new Set([one.exchange.origin]));
  const requests = new Map(all.map((request) => [request.id, request]));
  const inFlightOf = (facts: ExchangeFacts): number | null => {
    const request = requests.get(facts.exchange.id);
    return request === undefined || facts.exchange.origin !== one.exchange.origin ? null : load.inFlight(request);
  };
  const numbers = [
    {
      group: "size",
      name: "request-size",
      unit: "bytes",
      numberIn: ({ exchange }: ExchangeFacts) => exchange.requestBodySize,
    },
    {
      group: "size",
      name: "response-size",
      unit: "bytes",
      numberIn: ({ exchange }: ExchangeFacts) => exchange.encodedBodySize,
    },
    { group: "connection", name: "in-flight", unit: "count", numberIn: inFlightOf },
  ] as const;
  return numbers.flatMap(({ numberIn, ...named }): readonly Candidate[] => {
    const [value, otherValue] = [numberIn(one), numberIn(other)];
    // Unknown, unlike absent, is no difference.
    if (value === null || otherValue === null || value === otherValue) return [];
    const row = { ...UNCOUNTED, ...named, one: value, other: otherValue };
    const limit = limitOf(value, otherValue);
    if (limit === null) return [{ row, isLike: null }];
    const isLike = ({ facts }: Request): boolean => {
      const its = numberIn(facts);
      return its !== null && its > limit === value > limit;
    };
    return [{ row: { ...row, limit }, isLike }];
  });
}

/**
 * Halfway between two sizes on a logarithmic scale; `null` if they are too near to each other to tell requests apart.
 */
function limitOf(one: number, other: number): number | null {
  const [low, high] = [Math.max(1, Math.min(one, other)), Math.max(1, one, other)];
  return high < LEAST_EFFECT * low ? null : Math.sqrt(low * high);
}

function phaseRows(one: ComparedSide, other: ComparedSide): readonly Candidate[] {
  const lengths = [
    ...PHASES.map((name) => ({ name, one: one.phases[name], other: other.phases[name] })),
    { name: "latency", one: one.latency, other: other.latency },
  ];
  return lengths
    .filter((length) => length.one !== length.other)
    .map((length) => ({ row: { ...UNCOUNTED, ...length, group: "phase", unit: "ms" }, isLike: null }));
}

/** The rows with their counts. A row is telling if its counts stay significant after correction for all rows. */
function sharedRows(
  candidates: readonly Candidate[],
  compared: readonly Request[],
  slowFrom: Milliseconds,
): readonly ComparedRow[] {
  const slow = compared.filter((request) => exchangeTimeOf(request) > slowFrom);
  const others = compared.filter((request) => exchangeTimeOf(request) <= slowFrom);
  const counted = candidates.map(({ row, isLike }) => {
    if (isLike === null) return { row, p: 1 };
    const [slowWith, othersWith] = [slow.filter(isLike).length, others.filter(isLike).length];
    const isMore = slowWith * others.length > othersWith * slow.length;
    const p = fisherExact(slowWith, othersWith, slow.length - slowWith, others.length - othersWith);
    const shared = { slowWith, slow: slow.length, othersWith, others: others.length };
    return { row: { ...row, shared }, p: isMore ? p : 1 };
  });
  const corrected = holm(counted.map(({ p }) => p));
  return counted.map(({ row }, index) => ({ ...row, isTelling: (corrected[index] ?? 1) < SIGNIFICANT }));
}

const UNCOUNTED = { unit: "text", shared: null, limit: null, isTelling: false, isMinor: false } as const;

function cut(text: string | null): string | null {
  return text !== null && text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT - 1)}…` : text;
}

/**
 * The fewest other successful requests of an endpoint from which its usual is known (docs/specification.md, Limits).
 */
const LEAST_FOR_USUAL = 5;

/**
 * The usual twin of an exchange: of the endpoint's other successful requests whose duration is between the quartiles,
 * the one that differs from it in the fewest attributes; of several, the one nearest to the median. Where durations
 * have two modes, only the mode with the median is usual. `null` if there are too few requests. `own`: the endpoint's.
 */
export function twinOf(facts: ExchangeFacts, own: readonly Request[]): Request | null {
  const others = own.filter(
    (request) => isComparable(request) && (request.status ?? 0) < 400 && request.id !== facts.exchange.id,
  );
  if (others.length < LEAST_FOR_USUAL) return null;
  const usual = usualMode(Float64Array.from(others, exchangeTimeOf).sort());
  const [low, middle, high] = [percentileOf(usual, 0.25), percentileOf(usual, 0.5), percentileOf(usual, 0.75)];
  const isUsual = (request: Request) => exchangeTimeOf(request) >= low && exchangeTimeOf(request) <= high;
  let best: { readonly request: Request; readonly differing: number; readonly distance: number } | null = null;
  for (const request of evenlySpaced(others.filter(isUsual))) {
    const differing = differingIn(facts, request.facts);
    const distance = Math.abs(exchangeTimeOf(request) - middle);
    if (best === null || differing < best.differing || (differing === best.differing && distance < best.distance))
      best = { request, differing, distance };
  }
  return best?.request ?? null;
}

/** Of ascending durations, those of the mode that has the median. */
function usualMode(ascending: Float64Array): Float64Array {
  const cut = valleyOf(ascending, LEAST_SLOW)?.cut;
  if (cut === undefined) return ascending;
  const isSlow = percentileOf(ascending, 0.5) > cut;
  return ascending.filter((duration) => duration > cut === isSlow);
}

function differingIn(one: ExchangeFacts, other: ExchangeFacts): number {
  let count = 0;
  for (const { textIn, isMinor } of attributesOf([one, other]))
    if (!isMinor && textIn(one) !== textIn(other)) count += 1;
  return count;
}
