import { waitOf } from "../../../model/phases.ts";
import type { ExchangeId, Milliseconds } from "../../../model/units.ts";
import { BROWSERS_POOL, type ClientPool, clientPoolOf } from "../client-pool.ts";
import { atOrigin, type Context, claimedBy, draftOf, figures, largestOf } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { setUpSpanOf } from "../request.ts";
import { clientOf, counted, inMs } from "../text.ts";
import type { Request } from "../traffic.ts";
import { type Span, savedBy, waitingOf } from "../waiting.ts";

/**
 * The shortest wait that counts, since shorter waits are a browser's own work (`LEAST_WAIT`); and the fewest requests
 * that waited, since fewer may have waited by chance (`LEAST_REQUESTS`).
 */
const LEAST_WAIT: Milliseconds = 5;
const LEAST_REQUESTS = 5;

/** If at least this share of the queued requests are items of an N+1, the N+1 is the cause. */
const LEAST_SHARE_OF_ITEMS = 0.8;

interface Queued {
  readonly request: Request;
  readonly span: Span;
}

/** Requests that waited for a free connection, or for a free stream of an HTTP/2 connection. */
export function connectionQueueing({ traffic, found }: Context): readonly Draft[] {
  const items = claimedBy(
    found.filter(({ confidence }) => confidence === "likely"),
    ["n-plus-one"],
  );
  const drafts: Draft[] = [];
  for (const own of traffic.routes.values()) {
    const told = toldIn(own);
    const pool = told.length >= LEAST_REQUESTS ? null : clientPoolOf(own, traffic);
    const draft = pool === null ? draftFor(told) : draftForPool(pool);
    // The limit of a client that is no browser can be raised, and streams can be joined: causes of their own.
    const isLimit = pool !== null && (pool.size !== BROWSERS_POOL || pool.streams.length > 0);
    if (draft !== null && (isLimit || !isQueueOf(items, draft))) drafts.push(draft);
  }
  return drafts;
}

/**
 * Whether the queued requests are mostly items of an N+1. Then the N+1 is the cause, and its advice also ends the
 * queue.
 */
function isQueueOf(items: ReadonlySet<ExchangeId>, { covers }: Draft): boolean {
  return [...covers].filter((id) => items.has(id)).length >= LEAST_SHARE_OF_ITEMS * covers.size;
}

/**
 * The requests whose wait the HAR file or the recording reports. The time in which the client opened a connection is
 * not part of the wait.
 */
function toldIn(requests: readonly Request[]): readonly Queued[] {
  const waiting = requests.filter(
    ({ facts }) => (facts.queued ?? 0) >= LEAST_WAIT || facts.exchange.waitedFor === "stream",
  );
  if (waiting.length < LEAST_REQUESTS) return [];
  const setUps = requests.map(setUpSpanOf).filter(({ start, end }) => end > start);
  return waiting.flatMap((request) => {
    const wait = waitOf(request.facts.exchange);
    const until = request.start + Math.max(request.facts.queued ?? 0, wait?.to ?? 0);
    // Up to this instant the request waited for a connection that was being opened, not for a busy one.
    const opened = Math.max(
      request.start,
      ...setUps.filter(({ start, end }) => start <= request.start && end > request.start).map(({ end }) => end),
    );
    return until - opened < LEAST_WAIT
      ? []
      : [{ request, span: { client: request.client, start: opened, end: until } }];
  });
}

function draftFor(queued: readonly Queued[]): Draft | null {
  const [first] = queued;
  if (first === undefined || queued.length < LEAST_REQUESTS) return null;
  const time = waitingOf(queued.map(({ span }) => span));
  const { client, origin } = first.request;
  const lengthOf = ({ span }: Queued) => span.end - span.start;
  const streams = queued.filter(({ request }) => request.facts.exchange.waitedFor === "stream").length;
  const isForStreams = 2 * streams > queued.length;
  const longest = queued.toSorted((left, right) => lengthOf(right) - lengthOf(left));
  return draftOf({
    kind: "connection-queueing",
    scope: atOrigin(origin, client),
    time,
    confidence: "certain",
    telling: longest.map(({ request }) => request),
    summary: `${clientOf(client)}: ${counted(queued.length, "request")} to ${origin} waited for a free ${isForStreams ? "HTTP/2 stream" : "connection"}, ${inMs(time)} in all.`,
    advice: isForStreams
      ? "Let the server allow more concurrent streams (SETTINGS_MAX_CONCURRENT_STREAMS), or send fewer requests in parallel."
      : OVER_HTTP2,
    evidence: figures({
      "requests that waited": queued.length,
      "longest wait": inMs(longest[0] === undefined ? 0 : lengthOf(longest[0])),
    }),
    basis:
      "The time that requests waited for a connection or a stream, without the time in which the client opened a connection.",
  });
}

/** The finding about a client's own limit. Its cost is against the same requests at once, or in a browser's pool. */
function draftForPool(pool: ClientPool): Draft {
  const { size, streams, bursts } = pool;
  const all = bursts.flatMap(({ requests }) => requests);
  const [first] = all;
  if (first === undefined) throw new Error("a pool without requests");
  const { client, origin } = first;
  const waited = bursts.flatMap(({ ready, requests }) => requests.map(({ end }) => ({ client, start: ready, end })));
  const capacity = streams.length === 0 ? Number.POSITIVE_INFINITY : size;
  const time = savedBy(
    waited,
    bursts.flatMap((burst) => replayed(burst, capacity)),
  );
  const waiting = bursts.flatMap(({ ready, requests, free }) =>
    requests.slice(free).map((request) => ({ request, ready })),
  );
  const longest = waiting.toSorted(
    (left, right) => right.request.start - right.ready - (left.request.start - left.ready),
  );
  const [longestWait = { request: first, ready: first.start }] = longest;
  return draftOf({
    kind: "connection-queueing",
    scope: atOrigin(origin, client),
    time,
    telling: longest.map(({ request }) => request),
    covers: all,
    ...wordsFor(pool, { client, origin, waiting: waiting.length, time: inMs(time) }),
    evidence: figures({
      "requests in flight at most": size,
      "of them streams": streams.length === 0 ? null : heldIn(pool),
      "bursts of more requests": bursts.length,
      "requests that waited": waiting.length,
      "longest wait": inMs(longestWait.request.start - longestWait.ready),
    }),
  });
}

/** The requests of a burst from `ready` on, each in the first free place. */
function replayed({ ready, requests }: ClientPool["bursts"][number], capacity: number): readonly Span[] {
  const free: number[] = [];
  return requests.map(({ client, start: begun, end: ended }) => {
    const start = free.length < capacity ? ready : Math.min(...free);
    const end = start + ended - begun;
    if (free.length < capacity) free.push(end);
    else free[free.indexOf(start)] = end;
    return { client, start, end };
  });
}

/** The most places that streams held in a burst. */
function heldIn({ size, bursts }: ClientPool): number {
  return largestOf(bursts.map(({ free }) => size - free));
}

interface Told {
  readonly client: string;
  readonly origin: string;
  readonly waiting: number;
  readonly time: string;
}

function wordsFor(
  pool: ClientPool,
  { client, origin, waiting, time }: Told,
): Pick<Draft, "confidence" | "summary" | "advice" | "basis"> {
  const { size, streams, isAtOnce, isOnceOpen } = pool;
  if (streams.length > 0) {
    const isEvents = streams.every(({ facts }) => facts.exchange.tags.includes("event-stream"));
    const count = heldIn(pool);
    const open = isEvents
      ? counted(count, "event stream")
      : counted(count, "stream or long poll", "streams or long polls");
    const held = `${open} held ${count} of the browser's ${size} connections to ${origin}`;
    return {
      confidence: isAtOnce ? "likely" : "possible",
      summary: `${clientOf(client)}: ${held}; ${counted(waiting, "request")} waited until another ended, up to ${time} in all.`,
      advice:
        "Serve the origin over HTTP/2 or HTTP/3, or let one stream carry all events. Over HTTP/1.1 each open stream takes a connection.",
      basis: `Up to: the duration of each burst less what it takes with all ${size} connections. A further request starts within 5 ms of another's end${isAtOnce ? "" : "; a page that asks one by one would look the same"}.`,
    };
  }
  const isBrowsers = size === BROWSERS_POOL;
  return {
    confidence: isBrowsers ? "possible" : "likely",
    summary: `${clientOf(client)} sent at most ${size} requests at once to ${origin}${isOnceOpen ? " once its connections were open" : ""}: ${counted(waiting, "further request")} waited until one ended, ${isBrowsers ? "up to" : "at least"} ${time} in all.`,
    advice: isBrowsers
      ? OVER_HTTP2
      : `Let the client open more connections to the origin, or raise its own limit of ${size}. HTTP/2 needs one connection for all.`,
    basis: `${isBrowsers ? "Up to: the" : "The"} duration of each burst less that of its longest request, as if all had started at once. A burst is named by one response, or starts at once; a further request starts within 5 ms of another's end.`,
  };
}

const OVER_HTTP2 =
  "Serve the origin over HTTP/2 or HTTP/3, send fewer requests in parallel, or let the client open more connections.";
