import { DependencyChains, type Traces } from "../insights/dependency-chains.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Chain } from "../model/findings.ts";
import type { Slices } from "../model/slices.ts";
import type { ExchangeId, Instant, Milliseconds } from "../model/units.ts";
import type { ChainPlace, ChainsFound } from "./findings.ts";
import { rowsByStart } from "./rows-by-start.ts";
import type { Session } from "./session.ts";

/** Our choice: places of one slice of work, a few milliseconds. */
const PLACES_AT_ONCE = 100_000;

/**
 * Feeds a session's exchanges to the search for chains, a few at a time, so that what was said in them can be read in between:
 *
 *   batches → exchanges → (their heads and bodies are read) → record each … none left → settle → found
 */
export class ChainFinder {
  readonly chainGap: Milliseconds;
  readonly #session: Session;
  readonly #search: DependencyChains;
  /** By row: 1 once its end was given out. */
  #ended = new Uint8Array(1_024);
  #waiting: readonly number[] | Uint32Array = [];
  /** Whether what waits comes by start: then nothing that is still to come happened before what was given out last. */
  #byStart = false;
  #next = 0;
  #count = 0;
  #hasLooked = false;
  /** How far the session's changes have been read. */
  #position = -1;
  #chains: readonly Chain[] = Object.freeze([]);
  /** How much of the session the chains were listed from. */
  #progress = 0;
  /** By row: one more than its place among the steps of all chains, one chain after the other; 0 = in none. */
  #places = new Uint32Array(0);

  constructor(session: Session, chainGap: Milliseconds) {
    this.#session = session;
    this.chainGap = chainGap;
    this.#search = new DependencyChains(chainGap);
  }

  get found(): ChainsFound {
    return {
      chains: this.#chains,
      chainGap: this.chainGap,
      progress: this.#session.table.nextRow === 0 ? 1 : this.#progress,
      placeOf: (id) => this.#placeOf(id),
    };
  }

  /**
   * Exchanges that have started or ended since they were given out, at most `count` at a time, until all was looked at. None
   * at a time is a slice of the work of putting them in order.
   */
  *batches(count: number): Generator<readonly Exchange[], void, undefined> {
    const { table } = this.#session;
    for (;;) {
      if (this.#next === this.#waiting.length) {
        for (const _ of this.#readChanges()) yield [];
        if (this.#waiting.length === 0) return;
      } else if (this.#byStart)
        this.#search.advance(table.instants.startAt(this.#waiting[this.#next] as number) as Instant);
      yield this.#some(count);
    }
  }

  #some(count: number): readonly Exchange[] {
    const { table } = this.#session;
    const exchanges: Exchange[] = [];
    for (; this.#next < this.#waiting.length && exchanges.length < count; this.#next += 1) {
      const row = this.#waiting[this.#next] as number;
      if (row < table.firstRow || this.#ended[row] === 1) continue;
      const exchange = table.exchangeAt(row);
      if (exchange.outcome !== null) this.#setEnded(row);
      exchanges.push(exchange);
    }
    this.#hasLooked ||= exchanges.length > 0;
    return exchanges;
  }

  record(exchange: Exchange, traces?: Traces): void {
    if (exchange.outcome !== null) this.#count += 1;
    this.#search.record(exchange, traces);
  }

  /** From an empty list nothing was listed: what comes then has not been looked at. */
  get #share(): number {
    const left = this.#waiting.length - this.#next;
    if (left > 0) return this.#count / (this.#count + left);
    return Number(this.#hasLooked);
  }

  /** As of the search. */
  get isSettled(): boolean {
    return this.#search.isSettled;
  }

  /** Lists the chains anew, a slice of the work with each step. `until`: all that happened until then has been recorded. */
  *settle(until: Instant): Slices<void> {
    const share = this.#share;
    const chains = yield* this.#search.list(until);
    const { table } = this.#session;
    const places = new Uint32Array(table.nextRow);
    let place = 0;
    for (const { steps } of chains) {
      for (const { id } of steps) {
        place += 1;
        if (place % PLACES_AT_ONCE === 0) yield;
        const row = table.rowOf(id);
        if (row !== null) places[row] = place;
      }
    }
    this.#chains = chains;
    this.#places = places;
    this.#progress = share;
  }

  #placeOf(id: ExchangeId): ChainPlace | null {
    const row = this.#session.table.rowOf(id);
    let place = (row === null ? 0 : (this.#places[row] ?? 0)) - 1;
    if (place < 0) return null;
    for (const [chain, { steps, edges }] of this.#chains.entries()) {
      if (place < steps.length) return { chain, edge: edges[place - 1] ?? null };
      place -= steps.length;
    }
    return null;
  }

  /** What changes meanwhile is read the next time. */
  *#readChanges(): Slices<void> {
    const { table, changes } = this.#session;
    const { end } = changes;
    const changed = this.#position < 0 ? null : changes.since(this.#position);
    this.#waiting = changed ?? (yield* rowsByStart(table));
    this.#byStart = changed === null;
    this.#position = end;
    this.#next = 0;
  }

  #setEnded(row: number): void {
    if (row >= this.#ended.length) {
      const larger = new Uint8Array(2 * row);
      larger.set(this.#ended);
      this.#ended = larger;
    }
    this.#ended[row] = 1;
  }
}
