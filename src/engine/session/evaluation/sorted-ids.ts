import type { ExchangeId } from "../../model/units.ts";
import { lowerBound } from "../../stats/lower-bound.ts";

/** Ids of exchanges in an array, which another thread can get at once. */
export class SortedIds implements Iterable<ExchangeId> {
  readonly #ids: Float64Array;

  /** `ids`: ascending. */
  constructor(ids: Float64Array) {
    this.#ids = ids;
  }

  has(id: ExchangeId): boolean {
    return this.indexOf(id) >= 0;
  }

  /** The index of the id in the array; -1 if it is not there. */
  indexOf(id: ExchangeId): number {
    const ids = this.#ids;
    const index = lowerBound(0, ids.length, (at) => (ids[at] as number) >= id);
    return ids[index] === id ? index : -1;
  }

  [Symbol.iterator](): Iterator<ExchangeId> {
    return this.#ids.values() as Iterator<number> as Iterator<ExchangeId>;
  }
}

export function sortedIdsOf(ids: Iterable<ExchangeId>): Float64Array {
  return Float64Array.from(ids).sort();
}
