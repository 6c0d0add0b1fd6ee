import { Heap } from "../../insights/heap.ts";
import type { Range } from "../../messages/list-messages.ts";
import { selectRank } from "../../stats/percentile.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";

/**
 * The requested range of the items, sorted by `keys` ascending. Sorts only this range; items with equal keys keep their
 * order. `keys`: one for each item, in the order of the items; each NaN is overwritten with Infinity.
 */
export function windowOf<Item>(items: ArrayLike<Item>, keys: Float64Array, { from, count }: Range): Item[] {
  const to = Math.min(items.length, from + count);
  if (from >= to) return [];
  for (let index = 0; index < keys.length; index += 1) {
    if (Number.isNaN(keys[index])) keys[index] = Number.POSITIVE_INFINITY;
  }
  const ranked = keys.slice();
  const first = selectRank(ranked, ranked.length, from);
  const last = selectRank(ranked, ranked.length, to - 1);
  const indexes: number[] = [];
  let before = 0;
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] as number;
    if (key < first) before += 1;
    else if (key <= last) indexes.push(index);
  }
  indexes.sort((left, right) => (keys[left] as number) - (keys[right] as number));
  return indexes.slice(from - before, to - before).map((index) => items[index] as Item);
}

/**
 * The requested range of the items, sorted by a key as in `windowOf`. Items without a key (NaN) come last in both
 * orders.
 */
export function sortedWindow<Item>(
  items: readonly Item[],
  keyOf: (item: Item, index: number) => number,
  descending: boolean,
  range: Range,
): Item[] {
  const sign = descending ? -1 : 1;
  const keys = Float64Array.from(items, (item, index) => sign * keyOf(item, index));
  return windowOf(items, keys, range);
}

interface Entry {
  readonly row: number;
  readonly key: number;
}

/**
 * Keeps the rows with the smallest keys. Of equal keys the lower row comes first; NaN comes last. The rows form a heap
 * with the last row at its top, so that one comparison rejects most rows without allocation.
 */
export class TopK {
  readonly #count: number;
  readonly #heap = new Heap<Entry>(isBehind);
  #size = 0;
  #greatest: number;

  /** `count`: how many rows are kept. */
  constructor(count: number) {
    this.#count = count;
    this.#greatest = count === 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }

  /** The greatest key that is still accepted. */
  get greatest(): number {
    return this.#greatest;
  }

  add(row: number, given: number): void {
    const key = Number.isNaN(given) ? Number.POSITIVE_INFINITY : given;
    if (key > this.#greatest) return;
    this.#heap.push({ row, key });
    if (this.#size < this.#count) this.#size += 1;
    else this.#heap.pop();
    if (this.#size === this.#count) this.#greatest = this.#heap.top?.key ?? this.#greatest;
  }

  /** Removes all rows. Returns those from index `from` on, smallest key first. */
  rows(from: number): Uint32Array {
    const rows = new Uint32Array(this.#size);
    for (let index = this.#size - 1; index >= 0; index -= 1) rows[index] = this.#heap.pop()?.row ?? 0;
    this.#size = 0;
    return rows.slice(from);
  }
}

function isBehind(left: Entry, right: Entry): boolean {
  return left.key > right.key || (left.key === right.key && left.row > right.row);
}

/**
 * Sorts `rows` (ascending) by start, stable, and returns the part from index `from` to before `to`. Reads only rows
 * near this part, since no row is more than `disorder` places from its sorted position.
 */
export function windowByStart(table: ExchangeTable, rows: Uint32Array, from: number, to: number): Uint32Array {
  const { disorder } = table;
  const begin = Math.max(0, from - disorder);
  const around = rows.slice(begin, to + disorder);
  if (disorder === 0) return around;
  const keys = Float64Array.from(around, (row) => table.instants.startAt(row));
  return Uint32Array.from(windowOf(around, keys, { from: from - begin, count: to - from }));
}
