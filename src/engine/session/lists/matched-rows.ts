import type { Endpoint } from "../../model/endpoint.ts";
import type { ExchangeId } from "../../model/units.ts";
import type { Matcher } from "../filter/matcher.ts";
import type { Session } from "../session.ts";
import { CHUNK_ROWS } from "../table/column.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";
import { RowList } from "./row-list.ts";

/** Rows per slice of a first scan by one cached condition; fewer if a row takes longer. A slice takes 10 to 20 ms. */
const ROWS_AT_ONCE = 200_000;

/**
 * How many rows a term tests at a time. A block of successive rows is within one chunk, so the rows' values need not be
 * copied.
 */
const BLOCK = CHUNK_ROWS / 2;

/** Notified when rows are tested again. */
interface Observer {
  /** All rows are tested again. */
  clear(): void;
  change(row: number): void;
}

const NOBODY_ELSE: Observer = Object.freeze({ clear: () => {}, change: () => {} });

/**
 * The rows of a session for which `Matcher.matches` is true. After the first scan, only changed rows are tested again.
 */
export class MatchedRows {
  readonly #session: Session;
  readonly #matcher: Matcher;
  readonly #observer: Observer;
  #matched = new RowList();
  /** The buffer for the rows of a block. All scans share it, since new arrays would cause garbage collections. */
  readonly #block = new Uint32Array(BLOCK);
  /** How far the session's change log was read; -1 before the first scan. */
  #position = -1;
  /** The next row that the first scan tests, and its end. */
  #next = 0;
  #end = 0;

  constructor(session: Session, matcher: Matcher, observer = NOBODY_ELSE) {
    this.#session = session;
    this.#matcher = matcher;
    this.#observer = observer;
  }

  /** Does one slice of the scan; returns `false` if there is more. */
  advance(most = Math.ceil(ROWS_AT_ONCE / Math.max(1, this.#matcher.effort))): boolean {
    this.#catchUp(most);
    return this.#next === this.#end;
  }

  /** The matching rows in order, after a whole scan. Valid until the session changes. */
  rows(): Uint32Array {
    this.#catchUp(Number.POSITIVE_INFINITY);
    return this.#matched.rows;
  }

  /**
   * Continues the first scan by `most` rows. Once the scan is complete, tests the rows that changed. If the change log
   * no longer has all changes, the scan starts over.
   */
  #catchUp(most: number): void {
    const { table, changes } = this.#session;
    const changed = this.#position < 0 ? null : changes.since(this.#position);
    if (changed === null) {
      this.#matched = new RowList();
      this.#observer.clear();
      this.#next = table.firstRow;
      this.#end = table.nextRow;
      this.#position = changes.length;
    }
    this.#look(most);
    if (changed === null || this.#next < this.#end) return;
    for (const row of changed) {
      if (row < table.firstRow) continue;
      this.#matched.set(row, !table.isHiddenAt(row) && this.#matcher.matches(row));
      this.#observer.change(row);
    }
    this.#matched.forgetBefore(table.firstRow);
    this.#position = changes.length;
  }

  #look(most: number): void {
    const begin = Math.max(this.#next, this.#session.table.firstRow);
    const end = Math.min(this.#end, this.#next + most);
    for (let row = begin; row < end; row = blockEnd(row)) this.#lookAt(row, Math.min(blockEnd(row), end));
    this.#next = end;
  }

  /** Tests the rows from `begin` to before `end`. */
  #lookAt(begin: number, end: number): void {
    const rows = this.#block.subarray(0, end - begin);
    for (let index = 0; index < rows.length; index += 1) rows[index] = begin + index;
    const matched = rows.subarray(0, this.#matcher.retainMatches(rows));
    const { table } = this.#session;
    this.#matched.append(table.hasHidden ? matched.filter((row) => !table.isHiddenAt(row)) : matched);
  }
}

function blockEnd(row: number): number {
  return row - (row % BLOCK) + BLOCK;
}

/** A test for whether an exchange is at one of these rows. */
export function exchangesAt(table: ExchangeTable, rows: Uint32Array): (id: ExchangeId) => boolean {
  const first = table.firstRow;
  const isHeld = new Uint8Array(table.nextRow - first);
  for (const row of rows) isHeld[row - first] = 1;
  return (id) => {
    const row = table.rowOf(id);
    return row !== null && isHeld[row - first] === 1;
  };
}

/** A test for whether an endpoint has an exchange at one of these rows. */
export function endpointsAt(
  { endpoints, endpoint }: ExchangeTable,
  rows: Uint32Array,
): (endpoint: Endpoint) => boolean {
  const isHeld = new Uint8Array(endpoints.size);
  for (const row of rows) isHeld[endpoint.at(row)] = 1;
  // Number 0 stands for all endpoints without a number, so it says nothing about the wanted endpoint.
  isHeld[0] = 0;
  return (wanted) => isHeld[endpoints.find(wanted)] === 1;
}
