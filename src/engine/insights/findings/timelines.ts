import type { ExchangeId, Milliseconds } from "../../model/units.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import { readyOf } from "../interval.ts";
import type { LinkIndex } from "./link.ts";
import { type Span, unionOf } from "./waiting.ts";

/** A request follows one on its HTTP/1.1 connection, or one that it provably needs, which ended at most this long before. */
const LONGEST_PAUSE: Milliseconds = 300;

type Times = Pick<Span, "start" | "end">;

/** What this file needs of a request in traffic.ts. */
interface Sent {
  readonly id: ExchangeId;
  readonly facts: Pick<ExchangeFacts, "exchange">;
}

/** The timelines of all clients. A client's timeline is made at its first use, since many findings cost no time. */
export class Timelines<One extends Sent> {
  readonly #byClient: ReadonlyMap<string, readonly One[]>;
  readonly #links: LinkIndex;
  readonly #spanOf: (request: One) => Times;
  readonly #made = new Map<string, Timeline<One>>();

  /** `byClient`: by start. `spanOf`: when a client awaits a request. */
  constructor(byClient: ReadonlyMap<string, readonly One[]>, links: LinkIndex, spanOf: (request: One) => Times) {
    this.#byClient = byClient;
    this.#links = links;
    this.#spanOf = spanOf;
  }

  of(client: string): Timeline<One> {
    const made = this.#made.get(client) ?? new Timeline(this.#byClient.get(client) ?? [], this.#links, this.#spanOf);
    this.#made.set(client, made);
    return made;
  }
}

/** One client's requests by start, and which of them each follows. */
class Timeline<One extends Sent> {
  /** How long the client waits. */
  readonly waiting: Milliseconds;
  readonly #requests: readonly One[];
  /** The spans in which the client awaits the requests. */
  readonly #spans: readonly Times[];
  /** For each request, the indexes of those that it follows. */
  readonly #followed: readonly (readonly number[])[];

  constructor(requests: readonly One[], links: LinkIndex, spanOf: (request: One) => Times) {
    this.#requests = requests;
    this.#spans = requests.map(spanOf);
    this.waiting = unionOf(this.#spans);
    const order = new Order(requests, this.#spans, links);
    this.#followed = requests.map((_, index) => order.followedBy(index));
  }

  /** How long the client waits if the requests in `lengths` take that long. Each keeps its pause after those that it follows. */
  waitingWith(lengths: ReadonlyMap<One, Milliseconds>): Milliseconds {
    const spans = this.#spans;
    const after: Times[] = [];
    for (const [index, request] of this.#requests.entries()) {
      const { start: begun, end } = spans[index] as Times;
      const followed = this.#followed[index] as readonly number[];
      const start = begun - (latestEnd(followed, spans) - latestEnd(followed, after));
      after.push({ start, end: start + Math.max(0, lengths.get(request) ?? end - begun) });
    }
    return unionOf(after);
  }
}

/** Which requests each request follows, by their indexes. */
class Order {
  readonly #requests: readonly Sent[];
  readonly #spans: readonly Times[];
  readonly #links: LinkIndex;
  readonly #indexes: ReadonlyMap<ExchangeId, number>;
  readonly #ready: Float64Array;
  readonly #byEnd: readonly number[];
  #ended = 0;
  #latest: readonly number[] = [];
  /** The latest request on each HTTP/1.1 connection since none was running. */
  readonly #onConnection = new Map<number, number>();

  constructor(requests: readonly Sent[], spans: readonly Times[], links: LinkIndex) {
    this.#requests = requests;
    this.#spans = spans;
    this.#links = links;
    this.#indexes = new Map(requests.map(({ id }, index) => [id, index]));
    const ready = Float64Array.from(spans, readyOf);
    this.#ready = ready;
    this.#byEnd = Array.from(ready.keys()).sort((left, right) => (ready[left] as number) - (ready[right] as number));
  }

  /**
   * A request follows the one that it provably needs, or the one before on its connection while others run. Else it
   * follows the one that ended last; if none runs, all those that ended since the latest start. To be called for each
   * index in turn.
   */
  followedBy(index: number): readonly number[] {
    const spans = this.#spans;
    const request = this.#requests[index] as Sent;
    this.#advance(index);
    const needed = this.#links
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
    const { start } = this.#spans[index] as Times;
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
    const spans = this.#spans;
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
  let latest = indexes.length === 0 ? 0 : Number.NEGATIVE_INFINITY;
  for (const index of indexes) latest = Math.max(latest, (spans[index] as Times).end);
  return latest;
}
