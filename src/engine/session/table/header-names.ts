import type { Side } from "../../capture/event.ts";
import { fieldsOf } from "../../model/head.ts";
import type { ExchangeId } from "../../model/units.ts";
import type { RealColumn, WholeColumn } from "./column.ts";
import type { HeadsOf } from "./header-columns.ts";

/** The most names that are distinguished, and the most characters of a name. */
const MOST_NAMES = 10_000;
const LONGEST_NAME = 100;

interface Rows {
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
  readonly #rows: Rows;
  readonly #side: Side;
  readonly #counts = new Map<string, number>();
  #next = 0;
  /** Rows to be read later, since their heads had not arrived. */
  #waiting: readonly number[] = [];

  constructor(rows: Rows, side: Side) {
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
