import type { ContentReader } from "../capture/content-reader.ts";
import type { ExchangeFacts } from "../insights/exchange-facts.ts";
import { longPollsOf } from "../insights/findings/long-polls.ts";
import { withExperiments } from "../insights/links/experiment-links.ts";
import { experimentKeys, knownOrdersOf } from "../insights/links/experiment-orders.ts";
import { type FoundLinks, LinkFinder } from "../insights/links/link-finder.ts";
import type { PathCount } from "../insights/path-templates.ts";
import type { ExchangeId, Instant, Milliseconds } from "../model/units.ts";
import type { Session } from "../session/session.ts";
import { FactReader, pathsOf } from "./fact-reading.ts";

/** An event may arrive up to this long after its time. */
const LATENESS: Milliseconds = 100;

/** How long a request in flight may delay the linking of later requests. */
const PATIENCE: Milliseconds = 5_000;

/** The most facts in memory, about 1 KB each. */
const MOST_FACTS = 150_000;
/** A new reading begins with at most this many of the latest rows. */
const FACTS_AT_START = 100_000;

/** Once rows have been evicted, a new reading begins with at most this share of the rows. */
const SHARE_BEFORE_EVICTION = 0.75;

/** How many exchanges are looked up at once. */
const READ_AHEAD = 256;

/**
 * Templates are learned again once the session has grown by the factor `GROWN` and has more than `LEAST_GROWTH` rows.
 */
const GROWN = 2;
const LEAST_GROWTH = 1_000;

/** Called between two parts of long work. */
export type Between = () => Promise<void> | void;

interface LinkedSessionOptions {
  readonly session: Session;
  readonly reader: ContentReader;
  /** As in `LinkFinder`. */
  readonly window: Milliseconds;
  /** All events before this instant have arrived; infinite for a stored session. */
  readonly until: () => Instant;
  /** How many of the latest rows the reading begins with, at most. */
  readonly rows?: number;
}

/**
 * The facts of a session's ended exchanges and the links between them. The session may still be recorded:
 *
 *   read → facts … (more was captured) … read → facts …
 *
 * Exchanges are read in the order of their starts. An exchange in flight for longer than `PATIENCE` is skipped, and
 * gets no links until the whole session is read again.
 */
export class LinkedSession {
  readonly window: Milliseconds;
  readonly #session: Session;
  readonly #until: () => Instant;
  readonly #facts: ExchangeFacts[] = [];
  readonly #reader: ContentReader;
  #reading: FactReader | null = null;
  readonly #finder: LinkFinder;
  readonly #firstRow: number;
  readonly #learnedFrom: number;
  /** Rows by start. Rows from `#index` on are not read yet. */
  #waiting: readonly number[] = [];
  #next: number;
  #index = 0;
  /** Rows that were skipped while in flight. */
  readonly #passed = new Set<number>();
  /** The facts of rows that ended, while an earlier one is in flight. They are read again to be linked. */
  readonly #ahead = new Map<number, ExchangeFacts>();
  #hasUnlinked = false;
  /** Rows before this one were looked up by `ContentReader.readAhead`, if they had ended. */
  #aheadUntil = 0;
  /** Exchanges that are linked later must start at this instant or after it. */
  #linkedUntil = Number.NEGATIVE_INFINITY;

  constructor({ session, reader, window, until, rows: most = FACTS_AT_START }: LinkedSessionOptions) {
    const { table } = session;
    this.window = window;
    this.#session = session;
    this.#until = until;
    this.#finder = new LinkFinder(window);
    const kept = table.nextRow - table.firstRow;
    const rows = Math.min(most, table.firstRow === 0 ? kept : Math.floor(SHARE_BEFORE_EVICTION * kept));
    this.#firstRow = table.nextRow - rows;
    this.#next = this.#firstRow;
    this.#learnedFrom = rows;
    this.#reader = reader;
  }

  /** The facts of all exchanges read, in the order of reading, which is nearly the order of starts. */
  get facts(): readonly ExchangeFacts[] {
    return this.#facts;
  }

  /** The facts of exchanges that ended, but that cannot be linked before an earlier exchange ends. */
  get ahead(): readonly ExchangeFacts[] {
    return [...this.#ahead.values()];
  }

  /** The number of older exchanges in the table that are not read. */
  get leftOut(): number {
    return Math.max(0, this.#firstRow - this.#session.table.firstRow);
  }

  /** Whether rows that this reading began with have been evicted. */
  get isEvicted(): boolean {
    return this.#session.table.firstRow > this.#firstRow;
  }

  /** How much of the session has been read, 0 to 1. */
  get progress(): number {
    const left = this.#left;
    return left === 0 ? 1 : this.#facts.length / (this.#facts.length + left);
  }

  /** Whether exchanges ended too late to get links. */
  get hasUnlinked(): boolean {
    return this.#hasUnlinked;
  }

  /** Whether the session must be read again: its templates are outdated, its rows were evicted, or memory is full. */
  get isOutgrown(): boolean {
    const size = this.#session.table.nextRow - this.#firstRow;
    return this.isEvicted || size > MOST_FACTS || (size > GROWN * this.#learnedFrom && size > LEAST_GROWTH);
  }

  /** Whether each row has been read, or skipped because its exchange is in flight. */
  get isSettled(): boolean {
    return this.#left === 0;
  }

  get #left(): number {
    return this.#waiting.length - this.#index + this.#session.table.nextRow - this.#next;
  }

  /** Reads the exchanges that ended since the last call. `between`: called after each. */
  async read(between: Between = () => {}): Promise<void> {
    this.#reading ??= new FactReader(this.#session, this.#reader, this.#paths());
    this.#takeNewRows();
    const now = this.#until();
    while (this.#hasNext(now)) {
      await this.#readNext(this.#reading);
      await between();
    }
    await this.#readPassed(this.#reading, between);
    await this.#readAhead(this.#reading, between);
  }

  /** The links of all exchanges read, with what the session's experiments found. */
  links(): FoundLinks {
    const longPolls = longPollsOf(this.#facts);
    const { table } = this.#session;
    const next = this.#waiting[this.#index];
    const until = next === undefined ? this.#until() - LATENESS : table.instants.startAt(next);
    this.#linkedUntil = Math.max(this.#linkedUntil, until);
    const found = this.#finder.links(longPolls, this.#linkedUntil);
    const { experiments } = this.#session;
    return withExperiments(found, this.#facts, knownOrdersOf(experiments), experimentKeys(experiments));
  }

  /** The paths, each with its number of requests. */
  #paths(): readonly PathCount[] {
    const paths = new Map<string, { readonly origin: string; readonly path: string; requests: number }>();
    for (const found of pathsOf(this.#session, rowsFrom(this.#firstRow, this.#firstRow + this.#learnedFrom))) {
      const { origin, path } = found;
      const known = paths.get(origin + path);
      if (known === undefined) paths.set(origin + path, { ...found });
      else known.requests += 1;
    }
    return [...paths.values()];
  }

  /**
   * Whether the next row by start can be read or skipped: its exchange has ended, or has been in flight for too long.
   */
  #hasNext(now: Instant): boolean {
    const row = this.#waiting[this.#index];
    if (row === undefined) return false;
    const start = this.#session.table.instants.startAt(row);
    if (start > now - LATENESS) return false;
    return this.#session.endedAt !== null || now - start >= PATIENCE || !isInFlight(this.#session.table, row);
  }

  async #readNext(reading: FactReader): Promise<void> {
    const { table } = this.#session;
    const row = this.#waiting[this.#index] as number;
    this.#index += 1;
    this.#ahead.delete(row);
    if (row < table.firstRow) return;
    if (isInFlight(table, row)) return void this.#passed.add(row);
    if (row >= this.#aheadUntil) this.#lookUp(row);
    const read = await reading.read(row);
    if (read === null) return;
    this.#facts.push(read.facts);
    const start = table.instants.startAt(row);
    if (start < this.#linkedUntil) {
      this.#hasUnlinked = true;
      return;
    }
    this.#linkedUntil = start;
    this.#finder.add(read.facts, read);
  }

  /** Reads skipped exchanges that have ended meanwhile. */
  async #readPassed(reading: FactReader, between: Between): Promise<void> {
    const { table } = this.#session;
    for (const row of this.#passed) {
      const isGone = row < table.firstRow;
      if (!isGone && isInFlight(table, row)) continue;
      this.#passed.delete(row);
      const read = isGone ? null : await reading.read(row);
      if (read !== null) {
        this.#facts.push(read.facts);
        // No exchange waits for the end of a stream. So no link is missed if a stream is read late.
        this.#hasUnlinked ||= !table.isLastingAt(row);
      }
      await between();
    }
  }

  async #readAhead(reading: FactReader, between: Between): Promise<void> {
    const { table } = this.#session;
    for (let index = this.#index; index < this.#waiting.length; index += 1) {
      const row = this.#waiting[index] as number;
      if (row < table.firstRow || this.#ahead.has(row) || isInFlight(table, row)) continue;
      const read = await reading.read(row);
      if (read !== null) this.#ahead.set(row, read.facts);
      await between();
    }
  }

  #lookUp(from: number): void {
    const { table } = this.#session;
    this.#aheadUntil = Math.min(table.nextRow, from + READ_AHEAD);
    const ids: ExchangeId[] = [];
    for (const row of rowsFrom(from, this.#aheadUntil))
      if (!isInFlight(table, row)) ids.push(table.ids.at(row) as ExchangeId);
    ids.sort((one, other) => one - other);
    this.#reader.readAhead(ids);
  }

  #takeNewRows(): void {
    const { table } = this.#session;
    if (this.#next === table.nextRow) return;
    const rows = [...this.#waiting.slice(this.#index), ...rowsFrom(this.#next, table.nextRow)];
    const startOf = (row: number) => table.instants.startAt(row);
    this.#waiting = rows.sort((one, other) => startOf(one) - startOf(other) || one - other);
    this.#next = table.nextRow;
    this.#index = 0;
  }
}

function isInFlight(table: Session["table"], row: number): boolean {
  return Number.isNaN(table.endTime.at(row));
}

function* rowsFrom(from: number, to: number): Generator<number, void, undefined> {
  for (let row = from; row < to; row += 1) yield row;
}
