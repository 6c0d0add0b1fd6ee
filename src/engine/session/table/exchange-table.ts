import type { PageDescribed } from "../../capture/event.ts";
import type { Endpoint } from "../../model/endpoint.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { ExchangeId, Instant } from "../../model/units.ts";
import { lowerBound } from "../../stats/lower-bound.ts";
import { CHUNK_ROWS, WholeColumn } from "./column.ts";
import { ExchangeRows } from "./exchange-rows.ts";
import { HeaderColumns } from "./header-columns.ts";
import { type EndpointNames, MOST_ENDPOINTS } from "./interned.ts";
import { LongTargets } from "./long-targets.ts";

/**
 * The most characters of texts that are stored for single rows, mostly one byte
 * each. An ordinary session has a tenth of this.
 */
const MOST_TEXT = 256 * 1024 * 1024;

/** Called with a row just before it is evicted, while it can still be read. */
type RowWatcher = (row: number) => void;

/**
 * The exchanges of a session in columns. Rows are numbered from 0 by arrival and keep their number. The oldest rows are
 * evicted at the row cap, or when the texts of all rows take too much memory:
 *
 *   0 … evicted … │ firstRow … kept … │ nextRow
 */
export class ExchangeTable extends ExchangeRows {
  readonly headers = new HeaderColumns(this);
  readonly longTargets = new LongTargets(this);
  /** What a HAR file says of its pages, by the name in the column `page`. */
  readonly describedPages = new Map<string, PageDescribed>();
  /** By id, the exchange's row plus 1. */
  readonly #rowOfId = new WholeColumn();
  /** The rows of hidden exchanges. */
  readonly #hidden = new Map<ExchangeId, number>();
  #cap: number;
  readonly #mostText: number;
  #textLength = 0;
  #firstRow = 0;
  #nextRow = 0;
  #idsInOrder = true;
  readonly #disorder = new StartOrderSkew();
  #lastTime = Number.NEGATIVE_INFINITY;
  readonly #watcher: RowWatcher;

  /** `mostText`: the most characters of texts that are stored for single rows. */
  constructor(cap: number, watcher: RowWatcher = () => {}, mostText = MOST_TEXT, mostEndpoints = MOST_ENDPOINTS) {
    super(mostEndpoints);
    this.#cap = cap;
    this.#mostText = mostText;
    this.#watcher = watcher;
  }

  get firstRow(): number {
    return this.#firstRow;
  }

  get nextRow(): number {
    return this.#nextRow;
  }

  get idsInOrder(): boolean {
    return this.#idsInOrder;
  }

  /**
   * The largest distance, in rows, between a row and its position in the order of starts; 0 if the rows are sorted by
   * start.
   */
  get disorder(): number {
    return this.#disorder.most;
  }

  /** The latest start of all exchanges. */
  get lastStart(): number {
    return this.#disorder.latest;
  }

  /** The latest start or end of all exchanges. */
  get lastTime(): number {
    return this.#lastTime;
  }

  /** Adds a row for a new exchange, which belongs to `endpoint`. Evicts the oldest rows beyond the caps. */
  add(exchange: Exchange, endpoint: Endpoint = exchange.endpoint): number {
    const row = this.#nextRow;
    const { startTime } = exchange.instants;
    this.#nextRow += 1;
    if (row > this.#firstRow && exchange.id < this.ids.at(row - 1)) this.#idsInOrder = false;
    this.#disorder.add(row, startTime);
    this.#lastTime = Math.max(this.#lastTime, startTime);
    this.#rowOfId.put(exchange.id, row + 1);
    const before = this.#textLength;
    this.put(row, exchange, endpoint);
    this.longTargets.add(row, exchange.target);
    this.#textLength = before + this.textLengthAt(row);
    this.#forgetSurplus();
    return row;
  }

  /** The most rows. */
  get cap(): number {
    return this.#cap;
  }

  /** Sets the row cap. Rows beyond it are evicted at once, oldest first. */
  setCap(cap: number): void {
    this.#cap = cap;
    this.#forgetSurplus();
  }

  override update(row: number, exchange: Exchange): void {
    const before = this.textLengthAt(row);
    super.update(row, exchange);
    this.#textLength += this.textLengthAt(row) - before;
    this.#lastTime = Math.max(this.#lastTime, exchange.endTime ?? this.#lastTime);
  }

  /** Assigns the row to another endpoint. */
  setEndpoint(row: number, endpoint: Endpoint): void {
    const target = this.targetAt(row);
    const before = this.textLengthAt(row);
    const number = this.endpoints.numberOf(endpoint);
    this.endpoint.put(row, number);
    this.putTarget(row, number === 0 ? null : endpoint, target);
    this.#textLength += this.textLengthAt(row) - before;
  }

  /** Replaces the endpoints. `numberOf`: returns the number of the row's endpoint among the new ones. */
  rekey(endpoints: EndpointNames, numberOf: (row: number, old: number) => number): void {
    let length = 0;
    this.replaceEndpoints(endpoints, [this.#firstRow, this.#nextRow], numberOf);
    for (let row = this.#firstRow; row < this.#nextRow; row += 1) length += this.textLengthAt(row);
    this.#textLength = length;
  }

  /** The number of rows, without hidden ones. */
  get size(): number {
    return this.#nextRow - this.#firstRow - this.#hidden.size;
  }

  /** Whether any row is hidden. */
  get hasHidden(): boolean {
    return this.#hidden.size > 0;
  }

  /** The earliest start of all rows but hidden ones; `null` if there are none. */
  earliestStart(): Instant | null {
    let row = this.#firstRow;
    while (row < this.#nextRow && this.isHiddenAt(row)) row += 1;
    const end = Math.min(this.#nextRow, row + this.disorder + 1);
    let earliest: number | null = null;
    for (; row < end; row += 1)
      if (!this.isHiddenAt(row)) earliest = Math.min(earliest ?? Number.POSITIVE_INFINITY, this.instants.startAt(row));
    return earliest as Instant | null;
  }

  /** Hides ended exchanges, which the user deleted, and returns their rows; those that are unknown are skipped. */
  hide(ids: readonly ExchangeId[]): readonly number[] {
    const rows = ids.flatMap((id) => this.rowOf(id) ?? []);
    for (const row of rows) {
      const id = this.ids.at(row) as ExchangeId;
      this.#hidden.set(id, row);
      this.#rowOfId.put(id, 0);
      this.setHidden(row, true);
    }
    this.#lastTime = this.#latestTime();
    return rows;
  }

  /** Whether the exchange is hidden and can be shown again. */
  isHidden(id: ExchangeId): boolean {
    return this.#hidden.has(id);
  }

  /** Shows hidden exchanges again, and returns their rows; those that were evicted meanwhile are skipped. */
  show(ids: readonly ExchangeId[]): readonly number[] {
    const rows = ids.flatMap((id) => this.#hidden.get(id) ?? []);
    for (const row of rows) {
      const id = this.ids.at(row) as ExchangeId;
      this.#hidden.delete(id);
      this.#rowOfId.put(id, row + 1);
      this.setHidden(row, false);
    }
    this.#lastTime = this.#latestTime();
    return rows;
  }

  #latestTime(): number {
    let latest = Number.NEGATIVE_INFINITY;
    for (let row = this.#firstRow; row < this.#nextRow; row += 1) {
      if (this.isHiddenAt(row)) continue;
      const end = this.endTime.at(row);
      latest = Math.max(latest, Number.isNaN(end) ? this.instants.startAt(row) : end);
    }
    return latest;
  }

  /** The row of an exchange; `null` if the exchange is unknown, evicted or hidden. */
  rowOf(id: ExchangeId): number | null {
    const row = this.#rowOfId.at(id) - 1;
    return row >= this.#firstRow && this.ids.at(row) === id ? row : null;
  }

  #forgetSurplus(): void {
    while (this.#nextRow - this.#firstRow > this.#cap) this.#forgetFirst();
    while (this.#textLength > this.#mostText && this.#firstRow < this.#nextRow - 1) this.#forgetFirst();
  }

  #forgetFirst(): void {
    this.#watcher(this.#firstRow);
    if (this.isHiddenAt(this.#firstRow)) this.#hidden.delete(this.ids.at(this.#firstRow) as ExchangeId);
    this.#textLength -= this.textLengthAt(this.#firstRow);
    this.forgetTexts(this.#firstRow);
    this.#firstRow += 1;
    if (this.#firstRow % CHUNK_ROWS !== 0) return;
    this.forgetBefore(this.#firstRow);
    this.headers.forgetBefore(this.#firstRow);
    this.longTargets.forgetBefore(this.#firstRow);
    // Ids are nearly in the order of rows. One more chunk is kept for ids that come late.
    this.#rowOfId.forgetBefore(Math.max(0, this.ids.at(this.#firstRow) - CHUNK_ROWS));
  }
}

/** The rows of a block. For each block, the latest earlier start is kept. */
const BLOCK = 64;

/**
 * The largest distance between a row and its position in the order of starts. Rows are nearly sorted: only a request
 * whose head arrives slowly is added late.
 *
 *   starts  1 2 4 5 3 6      3 came two rows late: no row is further than two from its position
 */
export class StartOrderSkew {
  /** For each block of rows, the latest start of all rows before it. */
  readonly #latestBefore: number[] = [];
  #latest = Number.NEGATIVE_INFINITY;
  #most = 0;

  /** The latest start of all rows; -Infinity if there are none. */
  get latest(): number {
    return this.#latest;
  }

  /** The skew in rows, as an upper bound that is at most one block too large; 0 if the rows are sorted by start. */
  get most(): number {
    return this.#most;
  }

  /** Adds the next row; rows are numbered from 0. */
  add(row: number, start: number): void {
    if (row % BLOCK === 0) this.#latestBefore.push(this.#latest);
    if (start >= this.#latest) this.#latest = start;
    else this.#most = Math.max(this.#most, row - this.#firstAfter(start));
  }

  /** A row before which every start is at most `start`. */
  #firstAfter(start: number): number {
    const blocks = this.#latestBefore;
    const behind = lowerBound(0, blocks.length, (block) => (blocks[block] as number) > start);
    return Math.max(0, behind - 1) * BLOCK;
  }
}
