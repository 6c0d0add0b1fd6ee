import { Heap } from "../../insights/heap.ts";

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
    for (let place = this.#size - 1; place >= 0; place -= 1) rows[place] = this.#heap.pop()?.row ?? 0;
    this.#size = 0;
    return rows.slice(from);
  }
}

function isBehind(left: Entry, right: Entry): boolean {
  return left.key > right.key || (left.key === right.key && left.row > right.row);
}
