import type { Side } from "../../capture/event.ts";
import { apart } from "../../insights/facts/field-pool.ts";
import { listOf } from "../../model/head.ts";
import type { ExchangeId } from "../../model/units.ts";
import { textOf } from "../../quoting/utf8.ts";
import type { WholeColumn } from "./column.ts";
import { RepeatingTextColumn } from "./repeating-text-column.ts";

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
