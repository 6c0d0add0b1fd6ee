import type { Milliseconds } from "../../model/units.ts";
import { awaitedSpanOf, type Request, type Traffic } from "./traffic.ts";
import { type Span, waitingOf } from "./waiting.ts";

/**
 * How much less clients would wait, summed over clients, if each of these requests took only the given time; 0 removes
 * it. Pauses between requests are kept. At most the union of the time that is taken away from the requests.
 */
export function savedWaiting(
  { timelines }: Pick<Traffic, "timelines">,
  lengths: ReadonlyMap<Request, Milliseconds>,
): Milliseconds {
  let saved = 0;
  for (const client of clientsOf(lengths)) {
    const timeline = timelines.of(client);
    saved += Math.max(0, timeline.waiting - timeline.waitingWith(lengths));
  }
  return Math.min(saved, waitingOf([...lengths].map(([request, length]) => goneOf(request, length))));
}

/** How much more clients would wait, summed over clients, if each of these requests took the given time. */
export function addedWaiting(
  { timelines }: Pick<Traffic, "timelines">,
  lengths: ReadonlyMap<Request, Milliseconds>,
): Milliseconds {
  let added = 0;
  for (const client of clientsOf(lengths)) {
    const timeline = timelines.of(client);
    added += Math.max(0, timeline.waitingWith(lengths) - timeline.waiting);
  }
  return added;
}

/** The lengths with which `savedWaiting` removes the requests. */
export function removed(requests: Iterable<Request>): ReadonlyMap<Request, Milliseconds> {
  return new Map(Array.from(requests, (request) => [request, 0]));
}

/** The lengths with which `savedWaiting` shortens the requests, each by its saving. */
export function shortened(savings: ReadonlyMap<Request, Milliseconds>): ReadonlyMap<Request, Milliseconds> {
  return new Map(Array.from(savings, ([request, saving]) => [request, request.end - request.start - saving]));
}

/**
 * For each slow request, how much longer it took than the other request of the same rank: the slowest against the
 * slowest, the median against the median. `lengthOf`: the length that is compared.
 */
export function savingsAgainst(
  slow: readonly Request[],
  others: readonly Request[],
  lengthOf: (request: Request) => Milliseconds,
): ReadonlyMap<Request, Milliseconds> {
  const savings = new Map<Request, Milliseconds>();
  if (others.length === 0) return savings;
  const usual = Float64Array.from(others, lengthOf).sort();
  const sorted = slow.toSorted((left, right) => lengthOf(left) - lengthOf(right));
  for (const [rank, request] of sorted.entries()) {
    const place = ((rank + 0.5) / sorted.length) * usual.length;
    const saving = lengthOf(request) - (usual[Math.min(usual.length - 1, Math.floor(place))] ?? 0);
    if (saving > 0) savings.set(request, saving);
  }
  return savings;
}

function clientsOf(lengths: ReadonlyMap<Request, Milliseconds>): ReadonlySet<string> {
  return new Set([...lengths.keys()].map(({ client }) => client));
}

/** The part of a request's span that goes away if it takes only `length`. */
function goneOf(request: Request, length: Milliseconds): Span {
  const { start, end } = awaitedSpanOf(request);
  return { client: request.client, start: Math.min(end, start + Math.max(0, length)), end };
}
