import type { Exchange } from "../model/exchange.ts";
import type { Chain, Evidence } from "../model/findings.ts";
import type { Slices } from "../model/slices.ts";
import type { ExchangeId, Instant, Milliseconds } from "../model/units.ts";
import { ChainForest } from "./chain-forest.ts";
import { EvidenceIndex } from "./evidence-index.ts";
import { Heap } from "./heap.ts";
import { type Interval, intervalOf, isSequenced, readyOf } from "./interval.ts";

/** decisions.md, Dependency chain: so many are listed. */
export const LISTED_CHAINS = 10;

/** Our choice: events come at most this much out of the order of their times; the tolerance before an end is in it. */
const LATENESS: Milliseconds = 100;

/** What was said in an exchange, for proofs (`evidence.ts`). */
export interface Traces {
  /** Of the request. */
  readonly words: ReadonlySet<string>;
  /** Of the response. */
  readonly values: readonly Evidence[];
}

/**
 * B follows A when both are one client's, B starts after A's start, and from A's end to `window` later:
 *
 *     a ├──────┤
 *     b         ├───┤        a → b → d is a chain; c overlaps a and follows nothing
 *     c     ├──┤
 *     d              ├──┤
 *
 * A sweep over time. When B starts, the best of those that it may follow is at the top of its client's heap; when B
 * ends, a proof may choose another, and B joins the heap itself. O(log n) an exchange, however many overlap.
 */
export class DependencyChains {
  readonly #window: Milliseconds;
  readonly #forest = new ChainForest();
  readonly #clients = new Map<string, Client>();
  readonly #running = new Map<ExchangeId, Running>();
  readonly #due = new Heap<Due>(isBefore);
  readonly #evidence = new EvidenceIndex();

  /** `window`: how long after A's end B may start (decisions.md, Dependency chain; a setting). */
  constructor(window: Milliseconds) {
    this.#window = window;
  }

  /** Takes each exchange when it has started and again when it has ended; of a stored session only ended ones, in any order. */
  record(exchange: Exchange, traces: Traces = NO_TRACES): void {
    const { id, client, instants } = exchange;
    // That it lasts may be known only when it ends.
    if (!isSequenced(exchange)) return void this.#running.delete(id);
    let running = this.#running.get(id);
    if (running === undefined) {
      running = { client: this.#clientOf(client), start: instants.startTime, before: null };
      this.#running.set(id, running);
      this.#due.push({ at: running.start, kind: START, running });
    }
    const interval = intervalOf(exchange);
    if (interval === null) return;
    this.#running.delete(id);
    const ready = readyOf(interval);
    const kind = ready > interval.start ? END : EMPTY;
    this.#due.push({ at: ready, kind, running, interval: { ...interval, client: running.client.name }, traces });
  }

  /**
   * The chains of longest duration, the longest first; a slice of the work with each step, and nothing may be recorded
   * between. `now`: all that happened until then has been recorded.
   */
  *list(now: Instant, count = LISTED_CHAINS): Slices<readonly Chain[]> {
    this.advance(now);
    return yield* this.#forest.longest(count);
  }

  /** Whether all that was recorded is in what was listed last: what happened a moment before waits for who may be late. */
  get isSettled(): boolean {
    return this.#due.top === null;
  }

  /** Does a part of the work of `list`, so that it need not be done at once. */
  advance(now: Instant): void {
    const until = now - LATENESS;
    for (let due = this.#due.top; due !== null && due.at <= until; due = this.#due.top) {
      this.#due.pop();
      if (due.kind === START) due.running.before = this.#likeliest(due.running);
      else this.#settle(due);
    }
  }

  /** The end of the longest chain that an exchange may follow without a proof. */
  #likeliest({ client, start }: Running): number | null {
    const { candidates } = client;
    while (candidates.top !== null && this.#forest.endOf(candidates.top) + this.#window < start) candidates.pop();
    return candidates.top !== null && this.#mayFollow(start, candidates.top) ? candidates.top : null;
  }

  #settle({ running, interval, traces }: Ended): void {
    const { client, start, before } = running;
    const proof = this.#proofOf(client, start, traces.words);
    const link = this.#forest.add(interval, proof?.giver ?? before, proof?.evidence ?? null);
    this.#evidence.offer(link, client.number, traces.values);
    client.candidates.push(link);
  }

  #proofOf(client: Client, start: Instant, words: ReadonlySet<string>): { giver: number; evidence: Evidence } | null {
    let best: { giver: number; evidence: Evidence } | null = null;
    for (const found of this.#evidence.givers(client.number, words)) {
      if (!this.#mayFollow(start, found.giver)) continue;
      if (best === null || this.#forest.isBetter(found.giver, best.giver)) best = found;
    }
    return best;
  }

  #mayFollow(start: Instant, link: number): boolean {
    const interval = { start: this.#forest.startOf(link), end: this.#forest.endOf(link) };
    return start > interval.start && start >= readyOf(interval) && start <= interval.end + this.#window;
  }

  #clientOf(name: string): Client {
    let client = this.#clients.get(name);
    if (client === undefined) {
      const candidates = new Heap<number>((left, right) => this.#forest.isBetter(left, right));
      client = { name, number: this.#clients.size, candidates };
      this.#clients.set(name, client);
    }
    return client;
  }
}

const NO_TRACES: Traces = Object.freeze({ words: new Set<string>(), values: Object.freeze([]) });

interface Client {
  /** One string for all of its exchanges. */
  readonly name: string;
  readonly number: number;
  /** Links that the next request may follow, the best on top. */
  readonly candidates: Heap<number>;
}

interface Running {
  readonly client: Client;
  readonly start: Instant;
  /** The link it may follow, once the sweep has come to its start. */
  before: number | null;
}

/** At one moment: first those end that others may follow, then others start, then what took no time ends. */
const END = 0;
const START = 1;
const EMPTY = 2;

interface Started {
  readonly at: Instant;
  readonly kind: typeof START;
  readonly running: Running;
}

interface Ended {
  /** From when on others may follow it. */
  readonly at: Instant;
  readonly kind: typeof END | typeof EMPTY;
  readonly running: Running;
  readonly interval: Interval;
  readonly traces: Traces;
}

type Due = Started | Ended;

function isBefore(left: Due, right: Due): boolean {
  return left.at < right.at || (left.at === right.at && left.kind < right.kind);
}
