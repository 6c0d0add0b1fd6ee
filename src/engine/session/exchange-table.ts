import type { Endpoint } from "../model/endpoint.ts";
import type { Exchange } from "../model/exchange.ts";
import type { ExchangeId } from "../model/units.ts";
import { CHUNK_ROWS, WholeColumn } from "./column.ts";
import { Disorder } from "./disorder.ts";
import { ExchangeRows } from "./exchange-rows.ts";

/** Is told of rows. */
export interface RowWatcher {
  /** It has come; others may leave for it. */
  come(row: number): void;
  /** It is about to leave, and can be read for the last time. */
  leave(row: number): void;
}

const NOBODY: RowWatcher = Object.freeze({ come: () => {}, leave: () => {} });

/**
 * The exchanges of a session in columns, and which rows there are. Rows are numbered from 0 in the order of arrival and
 * keep their number; the oldest leave at the row cap:
 *
 *   0 … forgotten … │ firstRow … kept … │ nextRow
 */
export class ExchangeTable extends ExchangeRows {
  /** One more than the row, by id. */
  readonly #rowOfId = new WholeColumn();
  #cap: number;
  #firstRow = 0;
  #nextRow = 0;
  #idsInOrder = true;
  readonly #disorder = new Disorder();
  #lastTime = Number.NEGATIVE_INFINITY;
  readonly #watcher: RowWatcher;

  constructor(cap: number, watcher: RowWatcher = NOBODY) {
    super();
    this.#cap = cap;
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

  /** How many places a row lies at most from where its start belongs; 0: rows come by start. */
  get disorder(): number {
    return this.#disorder.most;
  }

  /** The latest start of all. */
  get lastStart(): number {
    return this.#disorder.latest;
  }

  /** The latest start or end of all. */
  get lastTime(): number {
    return this.#lastTime;
  }

  /** A row for an exchange that is new here, counted as one of `endpoint`; the oldest leaves when there are too many. */
  add(exchange: Exchange, endpoint: Endpoint = exchange.endpoint): number {
    const row = this.#nextRow;
    const { startTime } = exchange.instants;
    this.#nextRow += 1;
    if (row > this.#firstRow && exchange.id < this.ids.at(row - 1)) this.#idsInOrder = false;
    this.#disorder.add(row, startTime);
    this.#lastTime = Math.max(this.#lastTime, startTime);
    this.#rowOfId.put(exchange.id, row + 1);
    this.put(row, exchange, endpoint);
    this.#watcher.come(row);
    this.#forgetSurplus();
    return row;
  }

  /** So many rows at most from now on: the oldest beyond leave at once. */
  keep(cap: number): void {
    this.#cap = cap;
    this.#forgetSurplus();
  }

  override update(row: number, exchange: Exchange): void {
    super.update(row, exchange);
    this.#lastTime = Math.max(this.#lastTime, exchange.endTime ?? this.#lastTime);
  }

  /** The row of an exchange; `null` if it is unknown or forgotten. */
  rowOf(id: ExchangeId): number | null {
    const row = this.#rowOfId.at(id) - 1;
    return row >= this.#firstRow && this.ids.at(row) === id ? row : null;
  }

  #forgetSurplus(): void {
    while (this.#nextRow - this.#firstRow > this.#cap) this.#forgetFirst();
  }

  #forgetFirst(): void {
    this.#watcher.leave(this.#firstRow);
    this.#firstRow += 1;
    if (this.#firstRow % CHUNK_ROWS !== 0) return;
    this.forgetBefore(this.#firstRow);
    // Ids are nearly in the order of rows; a chunk of patience for the late ones.
    this.#rowOfId.forgetBefore(Math.max(0, this.ids.at(this.#firstRow) - CHUNK_ROWS));
  }
}
