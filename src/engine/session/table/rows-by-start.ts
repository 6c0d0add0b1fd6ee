import { lowerBound } from "../../stats/lower-bound.ts";
import type { ExchangeTable } from "./exchange-table.ts";

/** Rows sorted at once. */
const RUN = 16_384;

type Comparison = (left: number, right: number) => number;

/**
 * All rows by start; of equal starts, the longest comes first, as `ParallelSweep` requires. Sorts runs of rows and
 * merges them: rows are nearly sorted, so only the ends of neighbouring runs overlap.
 */
export function rowsByStart(table: ExchangeTable): Uint32Array {
  const { firstRow, nextRow } = table;
  const rows = new Uint32Array(nextRow - firstRow);
  for (let index = 0; index < rows.length; index += 1) rows[index] = firstRow + index;
  const compare = comparisonOf(table);
  for (let from = 0; from < rows.length; from += RUN) sort(rows, from, from + RUN, compare);
  for (let length = RUN; length < rows.length; length *= 2) {
    for (let from = 0; from + length < rows.length; from += 2 * length) {
      join(rows, from, from + length, Math.min(from + 2 * length, rows.length), compare);
    }
  }
  return rows;
}

function comparisonOf(table: ExchangeTable): Comparison {
  const endOf = (row: number): number => table.intervalEndAt(row) || table.instants.startAt(row);
  return (left, right) =>
    table.instants.startAt(left) - table.instants.startAt(right) ||
    endOf(right) - endOf(left) ||
    table.ids.at(left) - table.ids.at(right);
}

/** Merges two sorted runs that are neighbours. */
function join(rows: Uint32Array, begin: number, middle: number, end: number, compare: Comparison): void {
  const [last, first] = [rows[middle - 1] as number, rows[middle] as number];
  if (compare(last, first) <= 0) return;
  const from = lowerBound(begin, middle, (index) => compare(rows[index] as number, first) > 0);
  const to = lowerBound(middle, end, (index) => compare(rows[index] as number, last) > 0);
  sort(rows, from, to, compare);
}

/** Sorts in an ordinary array: its sort is fast on sorted runs, unlike that of a typed array. */
function sort(rows: Uint32Array, from: number, to: number, compare: Comparison): void {
  rows.set(Array.from(rows.subarray(from, to)).sort(compare), from);
}

/**
 * A range of indexes in a list of rows, found for a point in time. All rows before `from` start before this time, and
 * all rows from `to` on do not; rows within the range may do either.
 */
interface SearchRange {
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
  const first = lowerBound(0, rows.length, (index) => !isBefore(table.instants.startAt(rows[index] as number)));
  const margin = table.disorder === 0 ? 0 : table.disorder + 1;
  return { from: Math.max(0, first - margin), to: Math.min(rows.length, first + margin) };
}
