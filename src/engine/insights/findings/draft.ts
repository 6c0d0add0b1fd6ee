import type { Figure, FindingKind, FindingScope } from "../../model/finding.ts";
import type { Bytes, ExchangeId, Milliseconds } from "../../model/units.ts";
import { type Group, groupedBy } from "../grouped.ts";
import { type Draft, MOST_EXCHANGES } from "./finding-report.ts";
import type { Request, Traffic } from "./traffic.ts";
import { lengthOf, waitingOf } from "./waiting.ts";

/** An endpoint's requests in one baseline session. */
export interface BaselineSession {
  readonly requests: number;
  readonly errors: number;
  /** Latencies of whole responses, in any order. */
  readonly latencies: readonly Milliseconds[];
  readonly sizes: readonly Bytes[];
}

/** The baseline sessions of one endpoint, in any order. */
export interface Baseline {
  readonly sessions: readonly BaselineSession[];
}

export interface FindingOptions {
  readonly source: string;
  /** The baseline of each endpoint, by `endpointKey`; empty if there are no earlier sessions. */
  readonly baseline: ReadonlyMap<string, Baseline>;
}

/**
 * The input of a detector: the session's traffic, and the drafts of earlier detectors that passed the gate
 * (`passesGate`).
 */
export interface Context {
  readonly traffic: Traffic;
  readonly found: readonly Draft[];
  readonly options: FindingOptions;
}

export type Detector = (context: Context) => readonly Draft[];

/**
 * What a detector passes to `draftOf`. `telling`: the finding's exchanges, the clearest examples first. `covers`: all
 * exchanges that the finding covers; if absent, those in `telling`. `count`: if absent, that of `telling`.
 */
interface Sketch extends Pick<Draft, "kind" | "time" | "confidence" | "summary" | "advice" | "evidence" | "basis"> {
  readonly scope: FindingScope;
  readonly attribute?: Draft["attribute"];
  readonly telling: readonly Request[];
  readonly covers?: readonly Request[];
  readonly count?: number;
  readonly bytes?: Bytes | null;
}

export function draftOf(sketch: Sketch): Draft {
  const { kind, scope, telling, covers = telling, count = telling.length, time, bytes = null, ...rest } = sketch;
  const { attribute = null, ...words } = rest;
  return {
    kind,
    count,
    time,
    bytes,
    ...words,
    ...scope,
    attribute,
    exchanges: Object.freeze(telling.slice(0, MOST_EXCHANGES).map(({ id }) => id)),
    covers: new Set(covers.map(({ id }) => id)),
  };
}

/** Figures with their names, for `evidence`; without those that are `null`. */
export function figures(values: Readonly<Record<string, string | number | null>>): readonly Figure[] {
  return Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [{ name, value: String(value) }]));
}

/** A draft for the requests of each endpoint, or none where `draftFor` returns `null`. */
export function draftsByEndpoint(
  requests: readonly Request[],
  draftFor: (own: Group<Request>) => Draft | null,
): readonly Draft[] {
  return [...groupedBy(requests, ({ endpointKey }) => endpointKey).values()].flatMap((own) => draftFor(own) ?? []);
}

export function atEndpoint({ facts }: Request): FindingScope {
  return { endpoint: facts.endpoint, origin: null, client: null };
}

export function atOrigin(origin: string | null, client: string | null): FindingScope {
  return { endpoint: null, origin, client };
}

/** The exchanges that findings of these kinds cover. */
export function claimedBy(found: readonly Draft[], kinds: readonly FindingKind[]): ReadonlySet<ExchangeId> {
  const claimed = new Set<ExchangeId>();
  for (const { kind, covers } of found) if (kinds.includes(kind)) for (const id of covers) claimed.add(id);
  return claimed;
}

/** The requests, the longest first. */
export function longestFirst(requests: readonly Request[]): readonly Request[] {
  return requests.toSorted((left, right) => lengthOf(right) - lengthOf(left));
}

/** The requests of the endpoint for which clients waited longest, and how many other endpoints there are. */
export function costliestIn(requests: readonly Request[]): {
  readonly costliest: Group<Request>;
  readonly others: number;
} {
  const endpoints = [...groupedBy(requests, ({ endpointKey }) => endpointKey).values()];
  const [costliest] = endpoints.toSorted((left, right) => waitingOf(right) - waitingOf(left));
  if (costliest === undefined) throw new Error("no request");
  return { costliest, others: endpoints.length - 1 };
}

/** The largest value; 0 if there is none. A long list spread into Math.max would exceed the stack. */
export function largestOf(values: Iterable<number>): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (const value of values) if (value > largest) largest = value;
  return largest === Number.NEGATIVE_INFINITY ? 0 : largest;
}
