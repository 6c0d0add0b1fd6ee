import { compareIntervals } from "../insights/parallel-groups.ts";
import type { ExchangeId, Instant } from "../model/units.ts";
import type { ExchangeTable } from "./exchange-table.ts";

/** All rows by start; of those that start together the longest first (`compareIntervals`). They lie nearly so. */
export function rowsByStart(table: ExchangeTable): readonly number[] {
  const rows = Array.from({ length: table.nextRow - table.firstRow }, (_, index) => table.firstRow + index);
  const timesOf = (row: number) => ({
    id: table.ids.at(row) as ExchangeId,
    start: table.startTimeAt(row) as Instant,
    end: (table.endTimeAt(row) || table.startTimeAt(row)) as Instant,
  });
  const isNotAfter = (row: number) => row > table.firstRow && table.startTimeAt(row) <= table.startTimeAt(row - 1);
  if (rows.some(isNotAfter)) rows.sort((left, right) => compareIntervals(timesOf(left), timesOf(right)));
  return rows;
}
