import type { ExchangeTable } from "./exchange-table.ts";
import { firstPlace } from "./first-place.ts";

/**
 * Those of `rows` (ascending) that may start from `from` to `to`: a part that holds all of them, and few others. Who starts later
 * than a row behind it stands at most `disorder` places before it, so what stands further off is on the side where it belongs.
 */
export function rowsAround(table: ExchangeTable, rows: Uint32Array, from: number, to: number): Uint32Array {
  const startAt = (place: number): number => table.instants.startAt(rows[place] as number);
  const begin = firstPlace(0, rows.length, (place) => startAt(place) >= from);
  const end = firstPlace(begin, rows.length, (place) => startAt(place) > to);
  const { disorder } = table;
  return disorder === 0
    ? rows.subarray(begin, end)
    : rows.subarray(Math.max(0, begin - 1 - disorder), end + 1 + disorder);
}
