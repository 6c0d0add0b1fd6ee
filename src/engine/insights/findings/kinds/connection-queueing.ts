import type { Steps } from "../../../model/steps.ts";
import type { ExchangeId, Milliseconds } from "../../../model/units.ts";
import { waitOf } from "../../../model/wait.ts";
import { atOrigin, type Context, claimedBy, draftOf } from "../draft.ts";
import type { Draft } from "../finding.ts";
import { clientOf, counted, inMs } from "../text.ts";
import type { Request } from "../traffic.ts";
import { type Span, waitingOf } from "../waiting.ts";
import { setUpSpanOf } from "./new-connections.ts";

/**
 * The shortest wait that counts, since shorter waits are a browser's own work
 * (`LEAST_WAIT`); and the fewest requests that waited, since fewer may have waited by chance (`LEAST_REQUESTS`).
 */
const LEAST_WAIT: Milliseconds = 5;
const LEAST_REQUESTS = 5;

/**
 * docs/specification.md, connection-queueing: how many connections browsers open to one HTTP/1.1 origin
 * (`CONNECTIONS`), and how soon a request must start after another has ended (`THE_MOMENT`).
 */
const CONNECTIONS = 6;
const THE_MOMENT: Milliseconds = 5;

/**
 * If at least this share of the queued requests are items of an N+1, the N+1 is the
 * cause.
 */
const LEAST_SHARE_OF_ITEMS = 0.8;

interface Queued {
  readonly request: Request;
  readonly span: Span;
}

/** Requests that waited for a free connection, or for a free stream of an HTTP/2 connection. */
export function* connectionQueueing({ traffic, found }: Context): Steps<readonly Draft[]> {
  const items = claimedBy(
    found.filter(({ confidence }) => confidence === "likely"),
    ["n-plus-one"],
  );
  const drafts: Draft[] = [];
  for (const own of traffic.routes.values()) {
    const told = toldIn(own);
    const [queued, isSeen] = told.length >= LEAST_REQUESTS ? [told, false] : [seenIn(own), true];
    const draft = draftFor(queued, isSeen);
    if (draft !== null && !isQueueOf(items, draft)) drafts.push(draft);
    yield;
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

/**
 * Requests that start right after one of six running requests ends. The client may have held such a request back
 * because all six connections were busy.
 */
function seenIn(requests: readonly Request[]): readonly Queued[] {
  const found: Queued[] = [];
  const running: Request[] = [];
  let busySince = Number.POSITIVE_INFINITY;
  for (const request of requests) {
    const isPlain =
      request.facts.exchange.clientStream === null &&
      request.facts.exchange.protocol !== "h2" &&
      request.facts.queued === null;
    if (!isPlain || request.isLasting) continue;
    let isTaken = false;
    let kept = 0;
    for (const other of running) {
      if (other.end > request.start) running[kept++] = other;
      else isTaken ||= request.start - other.end <= THE_MOMENT;
    }
    running.length = kept;
    if (running.length < CONNECTIONS - 1 || (!isTaken && running.length < CONNECTIONS))
      busySince = Number.POSITIVE_INFINITY;
    else if (isTaken && running.length === CONNECTIONS - 1 && busySince < request.start)
      found.push({ request, span: { client: request.client, start: busySince, end: request.start } });
    running.push(request);
    if (running.length === CONNECTIONS) busySince = Math.min(busySince, request.start);
  }
  return found;
}

function draftFor(queued: readonly Queued[], isSeen: boolean): Draft | null {
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
    place: atOrigin(origin, client),
    count: queued.length,
    time,
    bytes: null,
    confidence: isSeen ? "possible" : "certain",
    telling: longest.map(({ request }) => request),
    summary: `${clientOf(client)}: ${counted(queued.length, "request")} to ${origin} waited for a free ${isForStreams ? "HTTP/2 stream" : "connection"}, ${isSeen ? "up to " : ""}${inMs(time)} in all.`,
    advice: isForStreams
      ? "Let the server allow more concurrent streams (SETTINGS_MAX_CONCURRENT_STREAMS), or send fewer requests in parallel."
      : "Serve the origin over HTTP/2 or HTTP/3, send fewer requests in parallel, or let the client open more connections.",
    evidence: [
      { name: "requests that waited", value: String(queued.length) },
      { name: "longest wait", value: inMs(longest[0] === undefined ? 0 : lengthOf(longest[0])) },
    ],
    basis: isSeen
      ? "Up to: the time with six requests in flight before a request that began just when one of them ended. Browsers open six connections to one origin."
      : "The time that requests waited for a connection or a stream, without the time in which the client opened a connection.",
  });
}
