import type { Problem } from "../../model/result.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";
import type { HeaderColumn, HeadsOf } from "../table/header-columns.ts";
import type { LongTargetColumn } from "../table/long-targets.ts";
import { longTargetsOf } from "./row-predicate.ts";
import { conditionsOf, type Filter, headersOf } from "./term.ts";

/**
 * How many stored heads are read per slice of work. The storage keeps about 128 exchanges in a compressed block, and
 * reading two blocks takes about 10 ms.
 */
export const HEADS_AT_ONCE = 256;

/** How many whole targets are read per slice of work; each may have 128 KB. */
const TARGETS_AT_ONCE = 64;

/** Reads the headers that a filter names, and long targets. The filter can be applied once all of them are read. */
export class HeaderReading {
  readonly #columns: readonly HeaderColumn[];
  readonly #targets: readonly LongTargetColumn[];

  constructor(table: ExchangeTable, filter: Filter) {
    const { headers } = table;
    this.#targets = filter.flatMap(conditionsOf).flatMap((condition) => longTargetsOf(table, condition) ?? []);
    this.#columns = headersOf(filter).map(({ side, name }) => headers.of(side, name));
  }

  /** Does one slice of the work; returns `false` if there is more. */
  advance(headsOf: HeadsOf, most = HEADS_AT_ONCE): boolean {
    let left = most;
    for (const column of this.#columns) left -= column.read(headsOf, left);
    for (const column of this.#targets) column.read(headsOf, most === HEADS_AT_ONCE ? TARGETS_AT_ONCE : most);
    return [...this.#columns, ...this.#targets].every(({ isComplete }) => isComplete);
  }

  /** Why the filter cannot be applied, as a sentence; `null` if it can. */
  get problem(): Problem | null {
    const isFull = this.#columns.some((column) => column.isFull);
    return isFull
      ? "Weir cannot filter by this header, because its values take too much memory. Search headers and bodies instead."
      : null;
  }
}
