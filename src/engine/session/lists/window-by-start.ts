import type { ExchangeTable } from "../table/exchange-table.ts";
import type { SlicedRows } from "./row-list.ts";
import { windowOf } from "./sorted-window.ts";

/**
 * Sorts `rows` (ascending) by start, stable, and returns the part from index `from` to before `to`. Reads only rows
 * near this part, since no row is more than `disorder` places from its sorted position.
 */
export function windowByStart(table: ExchangeTable, rows: SlicedRows, from: number, to: number): Uint32Array {
  const { disorder } = table;
  const begin = Math.max(0, from - disorder);
  const around = rows.slice(begin, to + disorder);
  if (disorder === 0) return around;
  const keys = Float64Array.from(around, (row) => table.instants.startAt(row));
  return Uint32Array.from(windowOf(around, keys, { from: from - begin, count: to - from }));
}
