import type { Sort } from "../messages/list-messages.ts";
import type { TrafficColumn } from "../messages/traffic-messages.ts";
import type { TrafficOrder } from "./traffic-order.ts";

/** Our choice: so many rows more than are asked for are kept, since some of them leave their places. */
const SPARE = 200;

/** Our choice: with more changed rows than this all are looked at again. */
const MOST_CHANGED = 5_000;

/** A list as it stands now. */
interface List {
  /** Ascending. */
  readonly rows: Uint32Array;
  /** Whether a row that changed is among them. */
  holds(row: number): boolean;
}

/**
 * The first rows of a list in an order for which each row must be looked at. A row that did not change keeps its place beside the
 * others that did not, so from then on only those that did are put in:
 *
 *   found then   3 8 1 7 5 │ others, all behind 5          now   3 2 1 5 │ …   8 and 7 changed, as 2 did: 4 are sure
 */
export class FirstRows {
  readonly #order: TrafficOrder;
  #sort: Sort<TrafficColumn> | null = null;
  #rows: readonly number[] = [];
  /** No row is behind them. */
  #isWhole = false;
  readonly #changed = new Set<number>();

  constructor(order: TrafficOrder) {
    this.#order = order;
  }

  /** A row was written, or has come to the list or left it, but for the oldest that left at the row cap. */
  change(row: number): void {
    if (this.#sort !== null) this.#changed.add(row);
    if (this.#changed.size > MOST_CHANGED) this.forget();
  }

  forget(): void {
    this.#sort = null;
    this.#changed.clear();
  }

  /** The first `count` rows of the list, or all. */
  of(list: List, sort: Sort<TrafficColumn>, count: number): readonly number[] {
    const isSame = this.#sort?.column === sort.column && this.#sort.descending === sort.descending;
    if (!isSame || !this.#goOn(list, sort, count)) this.#begin(list, sort, count);
    this.#changed.clear();
    return this.#rows.slice(0, count);
  }

  #begin({ rows }: List, sort: Sort<TrafficColumn>, count: number): void {
    this.#sort = sort;
    this.#rows = [...this.#order.first(rows, sort, count + SPARE)];
    this.#isWhole = this.#rows.length === rows.length;
  }

  /** Whether enough of them are sure. */
  #goOn(list: List, sort: Sort<TrafficColumn>, count: number): boolean {
    const oldest = list.rows[0] ?? Number.POSITIVE_INFINITY;
    const same = this.#rows.filter((row) => row >= oldest && !this.#changed.has(row));
    const last = same.at(-1);
    const changed = [...this.#changed].filter((row) => row >= oldest && list.holds(row));
    const sorted = [...same, ...changed].sort(this.#order.comparison(sort));
    this.#rows = this.#isWhole ? sorted : sorted.slice(0, last === undefined ? 0 : 1 + sorted.lastIndexOf(last));
    this.#isWhole &&= this.#rows.length <= count + SPARE;
    if (!this.#isWhole) this.#rows = this.#rows.slice(0, count + SPARE);
    return this.#isWhole || this.#rows.length >= count;
  }
}
