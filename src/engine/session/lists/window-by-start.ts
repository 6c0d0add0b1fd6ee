import type { ExchangeTable } from "../table/exchange-table.ts";
import type { SlicedRows } from "./row-list.ts";
import { windowOf } from "./sorted-window.ts";

/**
 * The rows at the indexes from `from` to before `to` of `rows` (ascending), sorted by start, stable. Reads only rows
 * near this range, since the start-order skew of all rows is also an upper bound for any part of them.
 */
export function windowByStart(table: ExchangeTable, rows: SlicedRows, from: number, to: number): Uint32Array {
  const { disorder } = table;
  const begin = Math.max(0, from - disorder);
  const around = rows.slice(begin, to + disorder);
  if (disorder === 0) return around;
  const keys = Float64Array.from(around, (row) => table.instants.startAt(row));
  return Uint32Array.from(windowOf(around, keys, { from: from - begin, count: to - from }));
}
