import type { Milliseconds } from "../../model/units.ts";
import { readyOf } from "../interval.ts";
import { largestOf } from "./draft.ts";
import { type Request, type Traffic, waitSpanOf } from "./traffic.ts";
import { type Span, unionOf, waitingOf } from "./waiting.ts";

/**
 * How much less clients would wait, summed over clients, if each of these requests took only the given time; 0 removes
 * it. Pauses between requests are kept. At most the union of the time that is taken away from the requests.
 */
export function savedWaiting(
  { byClient }: Pick<Traffic, "byClient">,
  lengths: ReadonlyMap<Request, Milliseconds>,
): Milliseconds {
  let saved = 0;
  for (const client of clientsOf(lengths)) {
    const own = byClient.get(client) ?? [];
    const spans = own.map(awaitedSpanOf);
    saved += Math.max(0, unionOf(spans) - unionOf(replayed(own, spans, lengths)));
  }
  return Math.min(saved, waitingOf([...lengths].map(([request, length]) => goneOf(request, length))));
}

/** How much more clients would wait, summed over clients, if each of these requests took the given time. */
export function addedWaiting(
  { byClient }: Pick<Traffic, "byClient">,
  lengths: ReadonlyMap<Request, Milliseconds>,
): Milliseconds {
  let added = 0;
  for (const client of clientsOf(lengths)) {
    const own = byClient.get(client) ?? [];
    const spans = own.map(awaitedSpanOf);
    added += Math.max(0, unionOf(replayed(own, spans, lengths)) - unionOf(spans));
  }
  return added;
}

/** The lengths with which `savedWaiting` removes the requests. */
export function removed(requests: Iterable<Request>): ReadonlyMap<Request, Milliseconds> {
  return new Map(Array.from(requests, (request) => [request, 0]));
}

function clientsOf(lengths: ReadonlyMap<Request, Milliseconds>): ReadonlySet<string> {
  return new Set([...lengths.keys()].map(({ client }) => client));
}

type Times = Pick<Span, "start" | "end">;

/** The part of a request's span that goes away if it takes only `length`. */
function goneOf(request: Request, length: Milliseconds): Span {
  const { start, end } = awaitedSpanOf(request);
  return { client: request.client, start: Math.min(end, start + Math.max(0, length)), end };
}

/** Empty for what no client waits for. */
function awaitedSpanOf(request: Request): Times {
  return waitSpanOf(request) ?? { start: request.start, end: request.start };
}

/** A request continues its HTTP/1.1 connection if the one before on it ended at most this long before. */
const LONGEST_PAUSE: Milliseconds = 300;

/**
 * The spans of one client's requests, which are sorted by start, if the requests in `lengths` take that long. A request
 * that starts while none runs follows all those that ended since the latest start. Otherwise it follows the one before
 * on its connection, or the one that ended last.
 */
function replayed(
  requests: readonly Request[],
  spans: readonly Times[],
  lengths: ReadonlyMap<Request, Milliseconds>,
): readonly Times[] {
  const ready = Float64Array.from(spans, readyOf);
  const byEnd = Array.from(spans.keys()).sort((left, right) => (ready[left] as number) - (ready[right] as number));
  const onConnection = new Map<number, number>();
  const after: Times[] = [];
  let ended = 0;
  let followed: readonly number[] = [];
  for (const [index, request] of requests.entries()) {
    const span = spans[index] as Times;
    const from = ended;
    for (let next = byEnd[ended]; next !== undefined && next < index; next = byEnd[ended]) {
      if ((ready[next] as number) > span.start) break;
      ended += 1;
    }
    const isIdle = ended === index;
    if (isIdle) onConnection.clear();
    if (ended > from) followed = byEnd.slice(isIdle ? from : ended - 1, ended);
    const { clientConnection, clientStream } = request.facts.exchange;
    const lane = clientStream === null ? clientConnection : null;
    const before = lane === null ? undefined : onConnection.get(lane);
    const pause = before === undefined ? Number.POSITIVE_INFINITY : span.start - (spans[before] as Times).end;
    const own = before !== undefined && pause <= LONGEST_PAUSE ? [before] : followed;
    if (lane !== null) onConnection.set(lane, index);
    const start = span.start - (latestEnd(own, spans) - latestEnd(own, after));
    after.push({ start, end: start + Math.max(0, lengths.get(request) ?? span.end - span.start) });
  }
  return after;
}

/** The latest end of the spans with these indexes; 0 if there are none. */
function latestEnd(indexes: readonly number[], spans: readonly Times[]): number {
  return largestOf(indexes.map((index) => (spans[index] as Times).end));
}
