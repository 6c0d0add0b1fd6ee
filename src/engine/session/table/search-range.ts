import { lowerBound } from "../../stats/lower-bound.ts";
import type { ExchangeTable } from "./exchange-table.ts";

/**
 * A range of indexes in a list of rows, found for a point in time. All rows before `from` start before this time, and
 * all rows from `to` on do not; rows within the range may do either.
 */
export interface SearchRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The range for a time among `rows` (ascending). `isBefore`: whether a start counts as before the time. Rows are nearly
 * sorted by start, at most `disorder` rows off, so only rows within the range are uncertain.
 */
export function searchRange(
  table: ExchangeTable,
  rows: Uint32Array,
  isBefore: (start: number) => boolean,
): SearchRange {
  const first = lowerBound(0, rows.length, (place) => !isBefore(table.instants.startAt(rows[place] as number)));
  const margin = table.disorder === 0 ? 0 : table.disorder + 1;
  return { from: Math.max(0, first - margin), to: Math.min(rows.length, first + margin) };
}
