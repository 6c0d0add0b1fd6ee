import { hasOneOf } from "../../model/exchange.ts";
import type { Milliseconds } from "../../model/units.ts";
import { isDocument } from "../document.ts";
import { groupedBy } from "../grouped.ts";
import { burstsIn } from "./bursts.ts";
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
  /** How many places of the pool were free for them. */
  readonly free: number;
}

/** A client's limit of requests in flight to one origin. */
export interface ClientPool {
  readonly size: number;
  /** The streams and long polls that take places of the pool; empty if they do not count. */
  readonly streams: readonly Request[];
  /** Whether the client sent requests at once where two or more places were free. */
  readonly isAtOnce: boolean;
  /** Whether more requests were in flight before the client had opened its last connection. */
  readonly isOnceOpen: boolean;
  /** The bursts that were larger than the pool. */
  readonly bursts: readonly Burst[];
}

/**
 * The pool that a client's requests to one origin show: never more in flight, and most further requests of a burst
 * start the moment another ends. `null` for workers that find each next request in their own last response, or in any
 * other. Over HTTP/1.1, each open stream takes one of a browser's connections.
 */
export function clientPoolOf(route: readonly Request[], traffic: Traffic): ClientPool | null {
  if (!route.every(isPlain)) return null;
  const streams = route.filter(isStream);
  const shared = streams.length === 0 ? null : poolIn(route, streams, traffic);
  return shared?.size === BROWSERS_POOL ? shared : (poolIn(route, [], traffic) ?? poolOnceOpen(route, traffic));
}

/**
 * The pool that shows once the last connection is open: Node.js's agent counts an HTTPS connection through a proxy only
 * then, so that its first requests exceed `maxSockets`.
 */
function poolOnceOpen(route: readonly Request[], traffic: Traffic): ClientPool | null {
  const opened = new Set<number | null>();
  let last = 0;
  for (const [index, { facts }] of route.entries()) {
    if (opened.has(facts.exchange.clientConnection)) continue;
    opened.add(facts.exchange.clientConnection);
    last = index;
  }
  const pool = poolIn(route.slice(last + 1), [], traffic);
  return pool === null ? null : { ...pool, isOnceOpen: true };
}

function poolIn(route: readonly Request[], streams: readonly Request[], { links, byId }: Traffic): ClientPool | null {
  const inFlight = inFlightOf(route, new Set(streams));
  let size = 0;
  for (const { before } of inFlight.values()) size = Math.max(size, before + 1);
  if (size < LEAST_IN_FLIGHT) return null;
  const ids = new Set(route.map(({ id }) => id));
  const givers = new Map<Request, Request>();
  for (const request of route) {
    const proven = links.provenInto(request.id);
    if (proven.length === 0) continue;
    const from = proven.flatMap((link) => byId.get(link.from) ?? []);
    const [latest] = from.filter(({ client }) => client === request.client).sort((left, right) => right.end - left.end);
    if (latest !== undefined) givers.set(request, latest);
  }
  const isCounted = (one: Request) => inFlight.has(one) && (size === BROWSERS_POOL || !one.isStaticFile);
  const counted = route.filter(isCounted);
  const freeFor = (request: Request) => size - (inFlight.get(request)?.held ?? 0);
  const bursts = [...namedBursts(counted, givers, freeFor), ...freeBursts(counted, givers, size, freeFor)].filter(
    ({ requests, free }) => requests.length > free && (streams.length === 0 || free < size),
  );
  const full = bursts.filter(({ requests }) => requests.some((one) => inFlight.get(one)?.before === size - 1));
  if (full.length < LEAST_BURSTS || full.length < LEAST_SHARE_FULL * bursts.length) return null;
  const members = full.flatMap(({ requests }) => requests);
  const naming = new Set([...givers.values()].filter(({ id }) => ids.has(id)));
  if (members.filter((one) => naming.has(one)).length > MOST_SHARE_NAMING * members.length) return null;
  const waiting = full.flatMap(({ requests, free }) => requests.slice(free));
  const atOnce = waiting.filter((one) => {
    const load = inFlight.get(one);
    return load !== undefined && load.ended > 0 && load.before + load.ended >= size;
  });
  if (waiting.length < LEAST_WAITING || atOnce.length < LEAST_SHARE_AT_ONCE * waiting.length) return null;
  const spare = counted
    .filter((one) => freeFor(one) > 1 && !one.isStaticFile)
    .flatMap((one) => inFlight.get(one) ?? []);
  const isAtOnce = spare.some(({ before, held }) => before > held);
  // A client that sends its requests one by one also where places are free waits for none.
  const isInTurn = !isAtOnce && spare.filter(({ ended }) => ended > 0).length >= LEAST_BURSTS;
  return isInTurn ? null : { size, streams, isAtOnce, isOnceOpen: false, bursts: full };
}

/**
 * Whether the exchange is a stream over HTTP, or a long poll. Browsers count WebSockets apart from their connections.
 */
function isStream({ isLongPoll, facts }: Request): boolean {
  return isLongPoll || hasOneOf(facts.exchange.tags, ["event-stream", "stream"]);
}

/** Whether the request waits for a connection unseen: no HTTP/2, and no wait that its recorder told. */
function isPlain({ facts: { exchange, queued } }: Request): boolean {
  return exchange.clientStream === null && exchange.protocol !== "h2" && exchange.protocol !== "h3" && queued === null;
}

interface RequestLoad {
  /** How many others were in flight when the request started. */
  readonly before: number;
  /** How many of them were streams. */
  readonly held: number;
  /** How many others had ended within `THE_MOMENT`, as far as the clock can tell. */
  readonly ended: number;
}

/**
 * The places of the requests other than streams, WebSockets and tunnels. Of those, only `streams` count as in flight.
 */
function inFlightOf(route: readonly Request[], streams: ReadonlySet<Request>): ReadonlyMap<Request, RequestLoad> {
  const loads = new Map<Request, RequestLoad>();
  const recent: Request[] = [];
  let open: Request[] = [];
  for (const request of route) {
    if (streams.has(request)) open.push(request);
    if (streams.has(request) || request.isLasting) continue;
    const { start } = request;
    if (open.length > 0) open = open.filter(({ end }) => end > start + ROUNDING);
    const from = start - THE_MOMENT - Math.min(request.uncertainty, MOST_UNCERTAIN);
    let [kept, before, late] = [0, 0, 0];
    for (const one of recent) {
      const { end } = one;
      if (end < start - THE_MOMENT - MOST_UNCERTAIN) continue;
      recent[kept] = one;
      kept += 1;
      if (end > start + ROUNDING) before += 1;
      if (end < from) late += 1;
    }
    const held = open.length;
    loads.set(request, { before: before + held, held, ended: kept - before - late });
    recent.length = kept;
    recent.push(request);
  }
  return loads;
}

/** Requests that one response named, and that could have started when it ended. */
function namedBursts(
  counted: readonly Request[],
  givers: ReadonlyMap<Request, Request>,
  freeFor: (request: Request) => number,
): readonly Burst[] {
  const named = counted.filter((one) => {
    const giver = givers.get(one);
    return giver !== undefined && !isDocument(giver.facts) && one.start >= giver.end;
  });
  return [...groupedBy(named, (one) => String(givers.get(one)?.id)).values()].flatMap((requests) => {
    const [first] = requests;
    const giver = givers.get(first);
    return giver === undefined ? [] : [{ ready: giver.end, requests, free: freeFor(first) }];
  });
}

/** Requests without a giver, or named by a document: as many as there are places start at once, the others later. */
function freeBursts(
  counted: readonly Request[],
  givers: ReadonlyMap<Request, Request>,
  size: number,
  freeFor: (request: Request) => number,
): readonly Burst[] {
  const unnamed = counted.filter((request) => {
    const giver = givers.get(request);
    return giver === undefined || (size === BROWSERS_POOL && isDocument(giver.facts));
  });
  return burstsIn(unnamed, APART).flatMap((requests) => {
    const [first] = requests;
    const free = first === undefined ? size : freeFor(first);
    const last = requests[free - 1];
    if (first === undefined || last === undefined || last.start - first.start > AT_ONCE) return [];
    return [{ ready: first.start, requests, free }];
  });
}
