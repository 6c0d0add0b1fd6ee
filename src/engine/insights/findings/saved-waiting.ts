import type { ExchangeId, Milliseconds } from "../../model/units.ts";
import { readyOf } from "../interval.ts";
import { largestOf } from "./draft.ts";
import { sumOf } from "./numbers.ts";
import { type Request, type Traffic, waitSpanOf } from "./traffic.ts";
import { lengthOf, type Span, unionOf, waitingOf } from "./waiting.ts";

type WithLinks = Pick<Traffic, "byClient" | "links">;

/**
 * How much less clients would wait, summed over clients, if each of these requests took only the given time; 0 removes
 * it. Pauses between requests are kept. At most the union of the time that is taken away from the requests.
 */
export function savedWaiting(traffic: WithLinks, lengths: ReadonlyMap<Request, Milliseconds>): Milliseconds {
  const saved = sumOf(replayedByClient(traffic, lengths), ({ before, after }) => Math.max(0, before - after));
  return Math.min(saved, waitingOf([...lengths].map(([request, length]) => goneOf(request, length))));
}

/** How much more clients would wait, summed over clients, if each of these requests took the given time. */
export function addedWaiting(traffic: WithLinks, lengths: ReadonlyMap<Request, Milliseconds>): Milliseconds {
  return sumOf(replayedByClient(traffic, lengths), ({ before, after }) => Math.max(0, after - before));
}

/** What each client waits, and what it would wait if the requests took the given times. */
function replayedByClient({ byClient, links }: WithLinks, lengths: ReadonlyMap<Request, Milliseconds>) {
  const clients = new Set([...lengths.keys()].map(({ client }) => client));
  return [...clients].map((client) => {
    const requests = byClient.get(client) ?? [];
    const spans = requests.map(awaitedSpanOf);
    return { before: unionOf(spans), after: unionOf(replayed({ requests, spans, links }, lengths)) };
  });
}

/** The lengths with which `savedWaiting` removes the requests. */
export function removed(requests: Iterable<Request>): ReadonlyMap<Request, Milliseconds> {
  return new Map(Array.from(requests, (request) => [request, 0]));
}

/** The lengths with which `savedWaiting` shortens the requests, each by its saving. */
export function shortened(savings: ReadonlyMap<Request, Milliseconds>): ReadonlyMap<Request, Milliseconds> {
  return new Map(Array.from(savings, ([request, saving]) => [request, lengthOf(request) - saving]));
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
    const position = ((rank + 0.5) / sorted.length) * usual.length;
    const saving = lengthOf(request) - (usual[Math.min(usual.length - 1, Math.floor(position))] ?? 0);
    if (saving > 0) savings.set(request, saving);
  }
  return savings;
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

/**
 * A request follows one on its HTTP/1.1 connection, or one that it provably needs, which ended at most this long
 * before.
 */
const LONGEST_PAUSE: Milliseconds = 300;

/** One client's requests, sorted by start, and the spans in which it awaits them. */
interface Timeline {
  readonly requests: readonly Request[];
  readonly spans: readonly Times[];
  readonly links: Traffic["links"];
}

/** The spans if the requests in `lengths` take that long. Each keeps its pause after those that it follows. */
function replayed(timeline: Timeline, lengths: ReadonlyMap<Request, Milliseconds>): readonly Times[] {
  const { requests, spans } = timeline;
  const order = new Order(timeline);
  const after: Times[] = [];
  for (const [index, request] of requests.entries()) {
    const { start: begun, end } = spans[index] as Times;
    const followed = order.followedBy(index);
    const start = begun - (latestEnd(followed, spans) - latestEnd(followed, after));
    after.push({ start, end: start + Math.max(0, lengths.get(request) ?? end - begun) });
  }
  return after;
}

/** Which requests each request follows, by their indexes. */
class Order {
  readonly #timeline: Timeline;
  readonly #indexes: ReadonlyMap<ExchangeId, number>;
  readonly #ready: Float64Array;
  readonly #byEnd: readonly number[];
  #ended = 0;
  #latest: readonly number[] = [];
  /** The latest request on each HTTP/1.1 connection since none was running. */
  readonly #onConnection = new Map<number, number>();

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
    this.#indexes = new Map(timeline.requests.map(({ id }, index) => [id, index]));
    const ready = Float64Array.from(timeline.spans, readyOf);
    this.#ready = ready;
    this.#byEnd = Array.from(ready.keys()).sort((left, right) => (ready[left] as number) - (ready[right] as number));
  }

  /**
   * A request follows the one that it provably needs, or the one before on its connection while others run. Else it
   * follows the one that ended last; if none runs, all those that ended since the latest start. To be called for each
   * index in turn.
   */
  followedBy(index: number): readonly number[] {
    const { requests, spans, links } = this.#timeline;
    const request = requests[index] as Request;
    this.#advance(index);
    const needed = links
      .provenInto(request.id)
      .flatMap(({ from }) => this.#indexes.get(from) ?? [])
      .sort((left, right) => (spans[right] as Times).end - (spans[left] as Times).end);
    const { clientConnection, clientStream } = request.facts.exchange;
    const lane = clientStream === null ? clientConnection : null;
    const before = lane === null ? undefined : this.#onConnection.get(lane);
    if (lane !== null) this.#onConnection.set(lane, index);
    const soonAfter = [...needed, ...(before === undefined ? [] : [before])].find((one) =>
      this.#isSoonAfter(one, index),
    );
    return soonAfter === undefined ? this.#latest : [soonAfter];
  }

  #advance(index: number): void {
    const { start } = this.#timeline.spans[index] as Times;
    const from = this.#ended;
    while (this.#ended < this.#byEnd.length) {
      const next = this.#byEnd[this.#ended] as number;
      if (next >= index || (this.#ready[next] as number) > start) break;
      this.#ended += 1;
    }
    const isIdle = this.#ended === index;
    if (isIdle) this.#onConnection.clear();
    if (this.#ended > from) this.#latest = this.#byEnd.slice(isIdle ? from : this.#ended - 1, this.#ended);
  }

  #isSoonAfter(before: number, index: number): boolean {
    const { spans } = this.#timeline;
    const { start } = spans[index] as Times;
    return (
      before < index &&
      (this.#ready[before] as number) <= start &&
      start - (spans[before] as Times).end <= LONGEST_PAUSE
    );
  }
}

/** The latest end of the spans with these indexes; 0 if there are none. */
function latestEnd(indexes: readonly number[], spans: readonly Times[]): number {
  return largestOf(indexes.map((index) => (spans[index] as Times).end));
}
