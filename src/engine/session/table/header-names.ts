import type { Side } from "../../capture/event.ts";
import { fieldsOf } from "../../model/head.ts";
import type { ExchangeId } from "../../model/units.ts";
import type { RealColumn, WholeColumn } from "./column.ts";
import type { HeadsOf } from "./header-columns.ts";

/** Defaults; not from a specification: the most names that are distinguished, and the most characters of a name. */
const MOST_NAMES = 10_000;
const LONGEST_NAME = 100;

interface Rows {
  readonly ids: WholeColumn;
  /** NaN while the exchange is in flight. */
  readonly endTime: RealColumn;
  readonly firstRow: number;
  readonly nextRow: number;
}

/**
 * The names of one side's headers, and how many exchanges have each. Read from the stored heads when they are
 * requested.
 */
export class HeaderNames {
  readonly #rows: Rows;
  readonly #side: Side;
  readonly #counts = new Map<string, number>();
  #next = 0;
  /** Rows that had no head when they were read, and may still get one. */
  #waiting: readonly number[] = [];

  constructor(rows: Rows, side: Side) {
    this.#rows = rows;
    this.#side = side;
  }

  /** The number of exchanges by name, in lower case. Evicted exchanges stay counted. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /**
   * Reads at most `most` further rows, and again all rows whose head was missing. Returns `false` if there are more.
   */
  read(headsOf: HeadsOf, most: number): boolean {
    const { firstRow, nextRow } = this.#rows;
    const again = this.#waiting;
    this.#waiting = again.filter((row) => row >= firstRow && !this.#count(row, headsOf));
    const begin = Math.max(this.#next, firstRow);
    const end = Math.min(nextRow, begin + most);
    const missing: number[] = [];
    for (let row = begin; row < end; row += 1) if (!this.#count(row, headsOf)) missing.push(row);
    this.#waiting = [...this.#waiting, ...missing];
    this.#next = Math.max(begin, end);
    return this.#next >= nextRow;
  }

  /** Counts the names in the row's head. Returns `false` if the row has no head yet but may still get one. */
  #count(row: number, headsOf: HeadsOf): boolean {
    const head = headsOf(this.#rows.ids.at(row) as ExchangeId)?.[this.#side] ?? null;
    if (head === null) return !Number.isNaN(this.#rows.endTime.at(row));
    const names = new Set(fieldsOf(head).map(({ name }) => name.toLowerCase()));
    for (const name of names) {
      const known = this.#counts.get(name) ?? 0;
      if (name.length > LONGEST_NAME || (known === 0 && this.#counts.size >= MOST_NAMES)) continue;
      this.#counts.set(name, known + 1);
    }
    return true;
  }
}
