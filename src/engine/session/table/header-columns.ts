import type { Side } from "../../capture/event.ts";
import { apart } from "../../insights/facts/field-pool.ts";
import { listOf } from "../../model/head.ts";
import type { ExchangeId } from "../../model/units.ts";
import { textOf } from "../../quoting/utf8.ts";
import type { WholeColumn } from "./column.ts";
import { RepeatingTextColumn } from "./repeating-text-column.ts";

/** The heads of an exchange, latin1; `null` if they are not stored. */
export type HeadsOf = (id: ExchangeId) => Readonly<Record<Side, string | null>> | null;

/** The rows that a column is read for. */
interface Rows {
  readonly ids: WholeColumn;
  readonly firstRow: number;
  readonly nextRow: number;
}

/** Characters of values that are stored for one row alone. Default; not from a specification. */
const MOST_TEXT = 64 * 1024 * 1024;

/** Columns that are kept although no filter uses them. Default; not from a specification. */
const KEPT = 4;

/**
 * The value of one header by row, several lines as one list. Rows from before the column are read from the stored heads:
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

  /** `name`: lower-case. */
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

  /** Whether the values took too much memory: those of further rows are missing. */
  get isFull(): boolean {
    return this.#textLength > MOST_TEXT;
  }

  /** Reads at most so many stored heads, and returns how many. */
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

/** The headers by which the rows of a table are filtered; a column lives as long as a filter that uses it. */
export class HeaderColumns {
  readonly #rows: Rows;
  readonly #columns = new Map<string, WeakRef<HeaderColumn>>();
  /** The latest used last. */
  #kept: readonly HeaderColumn[] = [];

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /** The column of that header, a new one if need be. `name`: lower-case. */
  of(side: Side, name: string): HeaderColumn {
    const key = `${side} ${name}`;
    const column = this.#columns.get(key)?.deref() ?? new HeaderColumn(this.#rows, side, name);
    this.#columns.set(key, new WeakRef(column));
    this.#kept = [...this.#kept.filter((other) => other !== column), column].slice(-KEPT);
    return column;
  }

  /** A head of the row has arrived. */
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
