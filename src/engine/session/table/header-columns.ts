import type { Side } from "../../capture/event.ts";
import { apart } from "../../insights/facts/field-pool.ts";
import { fieldsOf, listOf } from "../../model/head.ts";
import type { ExchangeId } from "../../model/units.ts";
import { textOf } from "../../quoting/utf8.ts";
import { type RealColumn, RepeatingTextColumn, type WholeColumn } from "./column.ts";

/** Returns the heads of an exchange, in latin1; `null` if they are not stored. */
export type HeadsOf = (id: ExchangeId) => (Readonly<Record<Side, string | null>> & { readonly target?: string }) | null;

/** The rows for which a column is read. */
interface Rows {
  readonly ids: WholeColumn;
  readonly firstRow: number;
  readonly nextRow: number;
}

/** The most characters of all values that are stored for single rows. */
const MOST_TEXT = 64 * 1024 * 1024;

/** The most columns that are kept while no filter uses them. */
const KEPT = 4;

/**
 * The values of one header, by row; the values of several lines are joined to one list. Rows older than the column are
 * read from the stored heads:
 *
 *   firstRow … read │ #next … to be read │ #end … added as their heads arrive
 */
export class HeaderColumn {
  readonly values = new RepeatingTextColumn();
  readonly #side: Side;
  readonly #name: string;
  readonly #rows: Rows;
  #next: number;
  readonly #end: number;
  #textLength = 0;

  /** `name`: in lower case. */
  constructor(rows: Rows, side: Side, name: string) {
    this.#rows = rows;
    this.#side = side;
    this.#name = name;
    this.#next = rows.firstRow;
    this.#end = rows.nextRow;
  }

  /** Whether the values of all rows are known. */
  get isComplete(): boolean {
    return this.#next >= this.#end;
  }

  /** Whether the values took too much memory, so that values of further rows are missing. */
  get isFull(): boolean {
    return this.#textLength > MOST_TEXT;
  }

  /** Reads at most `most` stored heads; returns how many were read. */
  read(headsOf: HeadsOf, most: number): number {
    const begin = Math.max(this.#next, this.#rows.firstRow);
    const end = Math.min(this.#end, begin + most);
    for (let row = begin; row < end; row += 1) {
      this.add(row, this.#side, headsOf(this.#rows.ids.at(row) as ExchangeId)?.[this.#side] ?? null);
    }
    this.#next = Math.max(begin, end);
    return Math.max(0, end - begin);
  }

  add(row: number, side: Side, head: string | null): void {
    if (side !== this.#side || head === null || this.isFull) return;
    const value = listOf(head, this.#name);
    if (value === null) return;
    this.values.put(row, apart(textOf(value)));
    this.#textLength += this.values.ownLengthAt(row);
  }

  forgetBefore(row: number): void {
    this.values.forgetBefore(row);
  }
}

/**
 * Columns for the headers by which the rows of a table are filtered. A column is kept while a filter uses it; the
 * latest columns are kept longer.
 */
export class HeaderColumns {
  readonly #rows: Rows;
  readonly #columns = new Map<string, WeakRef<HeaderColumn>>();
  /** The columns that are kept even while no filter uses them, the most recently used last. */
  #kept: readonly HeaderColumn[] = [];

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /**
   * The column of this header, created if there is none. Keeps the latest columns even if no filter uses them. `name`:
   * in lower case.
   */
  of(side: Side, name: string): HeaderColumn {
    const key = `${side} ${name}`;
    const column = this.#columns.get(key)?.deref() ?? new HeaderColumn(this.#rows, side, name);
    this.#columns.set(key, new WeakRef(column));
    this.#kept = [...this.#kept.filter((other) => other !== column), column].slice(-KEPT);
    return column;
  }

  /** Adds the value from a head of this row that has just arrived. */
  add(row: number, side: Side, head: string): void {
    for (const column of this.#live()) column.add(row, side, head);
  }

  forgetBefore(row: number): void {
    for (const column of this.#live()) column.forgetBefore(row);
  }

  *#live(): Generator<HeaderColumn, void, undefined> {
    for (const [key, reference] of this.#columns) {
      const column = reference.deref();
      if (column === undefined) this.#columns.delete(key);
      else yield column;
    }
  }
}

/** The most names that are distinguished, and the most characters of a name. */
const MOST_NAMES = 10_000;
const LONGEST_NAME = 100;

interface NamedRows {
  readonly ids: WholeColumn;
  /** NaN while the exchange is in flight. */
  readonly endTime: RealColumn;
  /** 0 before the response. */
  readonly status: WholeColumn;
  readonly firstRow: number;
  readonly nextRow: number;
}

/**
 * The names of one side's headers, and how many exchanges have each. Read from the stored heads when they are
 * requested.
 */
export class HeaderNames {
  readonly #rows: NamedRows;
  readonly #side: Side;
  readonly #counts = new Map<string, number>();
  #next = 0;
  /** Rows to be read later, since their heads had not arrived. */
  #waiting: readonly number[] = [];

  constructor(rows: NamedRows, side: Side) {
    this.#rows = rows;
    this.#side = side;
  }

  /** The number of exchanges by name, in lower case. Evicted exchanges stay counted. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** Reads at most `most` heads that arrived. Returns `false` if there may be more. */
  read(headsOf: HeadsOf, most: number): boolean {
    const { firstRow, nextRow } = this.#rows;
    const waiting: number[] = [];
    let left = most;
    for (const row of this.#waiting) {
      if (row < firstRow) continue;
      if (left === 0 || !this.#hasArrived(row)) waiting.push(row);
      else {
        this.#count(row, headsOf);
        left -= 1;
      }
    }
    this.#next = Math.max(this.#next, firstRow);
    for (; left > 0 && this.#next < nextRow; left -= 1) {
      if (this.#hasArrived(this.#next)) this.#count(this.#next, headsOf);
      else waiting.push(this.#next);
      this.#next += 1;
    }
    this.#waiting = waiting;
    return left > 0;
  }

  /** Whether the row's head has arrived, or will not arrive any more. */
  #hasArrived(row: number): boolean {
    const { status, endTime } = this.#rows;
    return this.#side === "request" || status.at(row) !== 0 || !Number.isNaN(endTime.at(row));
  }

  #count(row: number, headsOf: HeadsOf): void {
    const head = headsOf(this.#rows.ids.at(row) as ExchangeId)?.[this.#side] ?? "";
    const names = new Set(fieldsOf(head).map(({ name }) => name.toLowerCase()));
    for (const name of names) {
      const known = this.#counts.get(name) ?? 0;
      if (name.length > LONGEST_NAME || (known === 0 && this.#counts.size >= MOST_NAMES)) continue;
      this.#counts.set(name, known + 1);
    }
  }
}
