import type { Milliseconds } from "../../model/units.ts";
import { groupedBy } from "../grouped.ts";
import { isDocument } from "../links/page-loads.ts";
import { largestOf } from "./draft.ts";
import { isStaticFile } from "./request.ts";
import type { Request, Traffic } from "./traffic.ts";

/** docs/specification.md, connection-queueing. */
const LEAST_IN_FLIGHT = 2;
const LEAST_BURSTS = 3;
const LEAST_WAITING = 5;
const THE_MOMENT: Milliseconds = 5;
const LEAST_SHARE_AT_ONCE = 0.7;
/** A busy computer's clock is late; more than this is not allowed for. */
const MOST_UNCERTAIN: Milliseconds = 20;

/** Browsers open this many connections to one HTTP/1.1 origin; only for them static files count. */
export const BROWSERS_POOL = 6;

/** The least share of the larger bursts in which all places were taken. */
const LEAST_SHARE_FULL = 0.8;

/** The first requests of a burst that nothing names start within this time. */
const AT_ONCE: Milliseconds = 20;

/** A client without a request for this long has ended its burst. */
const APART: Milliseconds = 100;

/** If more than this share of the requests name later ones, the client crawls. */
const MOST_SHARE_NAMING = 0.2;

/** A request that ends this shortly after another starts leaves its place to it: clocks are rounded. */
const ROUNDING: Milliseconds = 1;

/** Requests that could all have started at `ready`, by start. */
interface Burst {
  readonly ready: number;
  readonly requests: readonly Request[];
}

/** A client's limit of requests in flight to one origin. */
export interface ClientPool {
  readonly size: number;
  /** The bursts that were larger than the pool. */
  readonly bursts: readonly Burst[];
}

/**
 * The pool that a client's requests to one origin show: never more in flight, and most further requests of a burst start
 * the moment another ends. `null` for workers that find each next request in their own last response, or in any other.
 */
export function clientPoolOf(route: readonly Request[], { links, byId }: Traffic): ClientPool | null {
  if (!route.every(isPlain)) return null;
  const inFlight = inFlightOf(route);
  const size = largestOf([...inFlight.values()].map(({ before }) => before + 1));
  if (size < LEAST_IN_FLIGHT) return null;
  const ids = new Set(route.map(({ id }) => id));
  const givers = new Map<Request, Request>();
  for (const request of route) {
    const from = links.provenInto(request.id).flatMap((link) => byId.get(link.from) ?? []);
    const [latest] = from.filter(({ client }) => client === request.client).sort((left, right) => right.end - left.end);
    if (latest !== undefined) givers.set(request, latest);
  }
  const isCounted = (one: Request) => !one.isLasting && (size === BROWSERS_POOL || !isStaticFile(one));
  const counted = route.filter(isCounted);
  const bursts = [...namedBursts(counted, givers), ...freeBursts(counted, givers, size)].filter(
    ({ requests }) => requests.length > size,
  );
  const full = bursts.filter(({ requests }) => requests.some((one) => inFlight.get(one)?.before === size - 1));
  if (full.length < LEAST_BURSTS || full.length < LEAST_SHARE_FULL * bursts.length) return null;
  const members = full.flatMap(({ requests }) => requests);
  const naming = new Set([...givers.values()].filter(({ id }) => ids.has(id)));
  if (members.filter((one) => naming.has(one)).length > MOST_SHARE_NAMING * members.length) return null;
  const waiting = full.flatMap(({ requests }) => requests.slice(size));
  const atOnce = waiting.filter((one) => {
    const place = inFlight.get(one);
    return place !== undefined && place.ended > 0 && place.before + place.ended >= size;
  });
  const isPool = waiting.length >= LEAST_WAITING && atOnce.length >= LEAST_SHARE_AT_ONCE * waiting.length;
  return isPool ? { size, bursts: full } : null;
}

/** Whether the request waits for a connection unseen: no HTTP/2, and no wait that its recorder told. */
function isPlain({ facts: { exchange, queued } }: Request): boolean {
  return exchange.clientStream === null && exchange.protocol !== "h2" && exchange.protocol !== "h3" && queued === null;
}

interface Place {
  /** How many others were in flight when the request started. */
  readonly before: number;
  /** How many others had ended within `THE_MOMENT`, as far as the clock can tell. */
  readonly ended: number;
}

function inFlightOf(route: readonly Request[]): ReadonlyMap<Request, Place> {
  const places = new Map<Request, Place>();
  let recent: Request[] = [];
  for (const request of route) {
    recent = recent.filter(({ end }) => end >= request.start - THE_MOMENT - MOST_UNCERTAIN);
    if (request.isLasting) continue;
    const from = request.start - THE_MOMENT - Math.min(request.uncertainty, MOST_UNCERTAIN);
    const before = recent.filter(({ end }) => end > request.start + ROUNDING).length;
    const late = recent.filter(({ end }) => end < from).length;
    places.set(request, { before, ended: recent.length - before - late });
    recent.push(request);
  }
  return places;
}

/** Requests that one response named, and that could have started when it ended. */
function namedBursts(counted: readonly Request[], givers: ReadonlyMap<Request, Request>): readonly Burst[] {
  const named = counted.filter((one) => {
    const giver = givers.get(one);
    return giver !== undefined && !isDocument(giver.facts) && one.start >= giver.end;
  });
  return [...groupedBy(named, (one) => String(givers.get(one)?.id)).values()].flatMap((requests) => {
    const giver = requests[0] === undefined ? undefined : givers.get(requests[0]);
    return giver === undefined ? [] : [{ ready: giver.end, requests }];
  });
}

/** Requests without a giver, or named by a document: as many as there are places start at once, the others later. */
function freeBursts(
  counted: readonly Request[],
  givers: ReadonlyMap<Request, Request>,
  size: number,
): readonly Burst[] {
  const bursts: Request[][] = [];
  let until = Number.NEGATIVE_INFINITY;
  for (const request of counted) {
    const giver = givers.get(request);
    if (giver !== undefined && !(size === BROWSERS_POOL && isDocument(giver.facts))) continue;
    if (request.start > until + APART) bursts.push([]);
    bursts.at(-1)?.push(request);
    until = Math.max(until, request.end);
  }
  return bursts.flatMap((requests) => {
    const [first, last] = [requests[0], requests[size - 1]];
    if (first === undefined || last === undefined || last.start - first.start > AT_ONCE) return [];
    return [{ ready: first.start, requests }];
  });
}
