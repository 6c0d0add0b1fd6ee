import type { ExchangeTable } from "./exchange-table.ts";

/** All rows by start; of those that start together the longest first, as `compareIntervals`. They lie nearly so. */
export function rowsByStart(table: ExchangeTable): Uint32Array {
  const { firstRow, nextRow } = table;
  const rows = Uint32Array.from({ length: nextRow - firstRow }, (_, index) => firstRow + index);
  const isNotAfter = (row: number): boolean => row > firstRow && table.startTimeAt(row) <= table.startTimeAt(row - 1);
  if (!rows.some(isNotAfter)) return rows;
  const endOf = (row: number): number => table.endTimeAt(row) || table.startTimeAt(row);
  const compare = (left: number, right: number): number =>
    table.startTimeAt(left) - table.startTimeAt(right) ||
    endOf(right) - endOf(left) ||
    table.ids.at(left) - table.ids.at(right);
  // Not the typed array's own: an array's takes what lies in order as it lies.
  return Uint32Array.from([...rows].sort(compare));
}
