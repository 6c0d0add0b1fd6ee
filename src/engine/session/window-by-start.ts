import type { ExchangeTable } from "./exchange-table.ts";
import type { SlicedRows } from "./row-list.ts";
import { selectRows } from "./row-selection.ts";

/**
 * The rows at the places `from` to before `to` of `rows` (ascending) by start, equal ones in their order. Also among some of the rows
 * none lies further from its place than among all of them, so only those around the window are looked at.
 */
export function windowByStart(table: ExchangeTable, rows: SlicedRows, from: number, to: number): Uint32Array {
  const { disorder } = table;
  const begin = Math.max(0, from - disorder);
  const around = rows.slice(begin, to + disorder);
  if (disorder === 0) return around;
  const keys = Float64Array.from(around, (row) => table.instants.startAt(row));
  return selectRows(keys, around, from - begin, to - begin);
}
