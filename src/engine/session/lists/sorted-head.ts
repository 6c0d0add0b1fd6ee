import type { Sort } from "../../messages/list-messages.ts";
import type { TrafficColumn } from "../../messages/traffic-messages.ts";
import type { TrafficOrder } from "./traffic-order.ts";

/** How many more rows than requested are kept, so that enough remain after some have changed. */
const SPARE = 200;

/** If more rows than this changed, all rows are read again. */
const MOST_CHANGED = 5_000;

interface List {
  /** Sorted ascending. */
  readonly rows: Uint32Array;
  holds(row: number): boolean;
}

/**
 * Caches the first rows of a sorted list, since finding them requires reading every row. Unchanged rows keep their
 * relative order, so later calls only insert the changed rows:
 *
 *   found then   3 8 1 7 5 │ others, all behind 5     now   3 2 1 5 │ …   2, 7, 8 changed: these are the first 4 rows
 */
export class SortedHead {
  readonly #order: TrafficOrder;
  #sort: Sort<TrafficColumn> | null = null;
  #rows: readonly number[] = [];
  /** Whether the cached rows are all rows of the list. */
  #isWhole = false;
  readonly #changed = new Set<number>();

  constructor(order: TrafficOrder) {
    this.#order = order;
  }

  /**
   * Notes that a row changed, or entered or left the list. After too many changes, the next read starts over. Evictions
   * at the row cap need not be noted.
   */
  change(row: number): void {
    if (this.#sort !== null) this.#changed.add(row);
    if (this.#changed.size > MOST_CHANGED) this.clear();
  }

  clear(): void {
    this.#sort = null;
    this.#changed.clear();
  }

  /**
   * The first `count` rows of the list, or all if there are fewer. Applies the noted changes to the cached rows. Reads
   * the whole list if fewer than `count` cached rows then remain.
   */
  of(list: List, sort: Sort<TrafficColumn>, count: number): readonly number[] {
    const isSame = this.#sort?.column === sort.column && this.#sort.descending === sort.descending;
    if (!isSame || !this.#continue(list, sort, count)) this.#start(list, sort, count);
    this.#changed.clear();
    return this.#rows.slice(0, count);
  }

  #start({ rows }: List, sort: Sort<TrafficColumn>, count: number): void {
    this.#sort = sort;
    this.#rows = [...this.#order.first(rows, sort, count + SPARE)];
    this.#isWhole = this.#rows.length === rows.length;
  }

  /** Applies the changes to the cached rows. Returns whether at least `count` of them remain, or the list is whole. */
  #continue(list: List, sort: Sort<TrafficColumn>, count: number): boolean {
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
