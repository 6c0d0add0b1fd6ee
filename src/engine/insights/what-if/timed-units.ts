import type { ExchangeId, Milliseconds } from "../../model/units.ts";
import type { Link } from "../findings/link-index.ts";
import { isAwaited, type Request, type Traffic } from "../findings/traffic.ts";
import { unionOf } from "../findings/waiting.ts";
import { groupedBy } from "../grouped.ts";
import { type BusyTimes, busyTimesOf } from "../links/busy-times.ts";
import { microsecondsOf, millisecondsOf } from "../microseconds.ts";
import type { Load } from "../where/page-loads.ts";

/** docs/specification.md, Unit: how often a walk occurs before its occurrences are units. */
const LEAST_OCCURRENCES = 3;

/** What is timed as one whole: a page load, or one occurrence of an API client's walk. */
export interface Unit {
  readonly kind: "load" | "walk";
  /** Equal for loads of the same page, and for occurrences of the same walk. */
  readonly key: string;
  readonly client: string;
  /** In epoch ms. */
  readonly start: number;
  /** In epoch ms: the load event where the source names it, else the last end of an exchange. */
  readonly end: number;
  /** At least one, by start. */
  readonly exchanges: readonly Request[];
  /** The proven links between these exchanges, by the start of `to`. Each leads to a later start. */
  readonly links: readonly Link[];
  /** How long the client had no exchange of the unit in flight. */
  readonly ownTime: Milliseconds;
}

/** The units of a session, by start: each of its page loads, and each walk that occurred at least three times. */
export function unitsOf(traffic: Traffic, loads: readonly Load[]): readonly Unit[] {
  const units: Unit[] = [];
  const loaded = new Set<ExchangeId>();
  const busy = busyTimesOf(traffic.requests.filter(isAwaited));
  const linked = { links: traffic.links, busy };
  for (const { document, requests, end } of loads) {
    for (const { id } of requests) loaded.add(id);
    units.push(unitOf("load", document.endpointKey, requests, linked, end));
  }
  for (const [key, occurrences] of groupedBy(occurrencesIn(traffic, busy, loaded), keyOf)) {
    if (occurrences.length < LEAST_OCCURRENCES) continue;
    for (const requests of occurrences) units.push(unitOf("walk", key, requests, linked));
  }
  return units.sort((one, other) => one.start - other.start);
}

function unitOf(
  kind: Unit["kind"],
  key: string,
  exchanges: readonly Request[],
  { links: index, busy }: { readonly links: Traffic["links"]; readonly busy: BusyTimes },
  until = Number.NEGATIVE_INFINITY,
): Unit {
  const [first] = exchanges as readonly [Request];
  const byId = new Map(exchanges.map((one) => [one.id, one]));
  const links = exchanges.flatMap((to) =>
    index.provenInto(to.id).filter(({ from }) => {
      const one = byId.get(from);
      return one !== undefined && one.start < to.start && !busy.isPersonsGap(to.client, one.end, to.start);
    }),
  );
  const end = exchanges.reduce((latest, one) => Math.max(latest, one.end), until);
  const spans = exchanges.map((one) => ({ start: microsecondsOf(one.start), end: microsecondsOf(one.end) }));
  const ownTime = microsecondsOf(end) - microsecondsOf(first.start) - unionOf(spans);
  return Object.freeze({
    kind,
    key,
    client: first.client,
    start: first.start,
    end,
    exchanges,
    links,
    ownTime: millisecondsOf(ownTime),
  });
}

/** Two requests and more of one client, joined by links. */
interface Occurrence {
  /** The earliest. */
  first: Request;
  readonly requests: Request[];
}

/**
 * Joins a client's requests by all their links but those over a person's pause. An order link back to the endpoint of
 * the first request begins the next occurrence, since a program that loops without a pause would have only one.
 */
function occurrencesIn(
  { requests, byId, links }: Traffic,
  busy: BusyTimes,
  loaded: ReadonlySet<ExchangeId>,
): (readonly Request[])[] {
  const occurrences = new Map<ExchangeId, Occurrence>();
  for (const request of requests) {
    if (loaded.has(request.id) || !isAwaited(request)) continue;
    let own: Occurrence = { first: request, requests: [request] };
    occurrences.set(request.id, own);
    const order = links.orderInto(request.id);
    for (const { from } of order === null ? links.provenInto(request.id) : [order]) {
      const [before, earlier] = [byId.get(from), occurrences.get(from)];
      if (before === undefined || earlier === undefined || earlier === own) continue;
      if (before.client !== request.client || busy.isPersonsGap(request.client, before.end, request.start)) continue;
      if (order !== null && earlier.first.endpointKey === request.endpointKey) continue;
      own = joined(earlier, own, occurrences);
    }
  }
  const all = [...new Set(occurrences.values())].filter(({ requests: own }) => own.length > 1);
  return all.map(({ requests: own }) => own.sort((one, other) => one.start - other.start || one.id - other.id));
}

/** Moves the requests of the smaller occurrence to the larger one, so that each moves seldom. */
function joined(one: Occurrence, other: Occurrence, occurrences: Map<ExchangeId, Occurrence>): Occurrence {
  const [into, from] = one.requests.length < other.requests.length ? [other, one] : [one, other];
  into.first = one.first.start <= other.first.start ? one.first : other.first;
  for (const request of from.requests) {
    into.requests.push(request);
    occurrences.set(request.id, into);
  }
  return into;
}

/** The endpoints, whatever their order: requests that run beside each other change places. */
function keyOf(requests: readonly Request[]): string {
  return [...new Set(requests.map(({ endpointKey }) => endpointKey))].sort().join("\n");
}
