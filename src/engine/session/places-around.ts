import type { ExchangeTable } from "./exchange-table.ts";
import { firstPlace } from "./first-place.ts";

/** Places among rows: all before `from` start before a time, all from `to` on do not; between them only their starts tell. */
export interface PlacesAround {
  readonly from: number;
  readonly to: number;
}

/**
 * Where a time lies among `rows` (ascending); `isBefore`: whether a start counts as before it. Rows come nearly by start: who
 * starts later than a row behind it stands at most `disorder` places before that, so what is further off is where it belongs.
 */
export function placesAround(
  table: ExchangeTable,
  rows: Uint32Array,
  isBefore: (start: number) => boolean,
): PlacesAround {
  const first = firstPlace(0, rows.length, (place) => !isBefore(table.instants.startAt(rows[place] as number)));
  const margin = table.disorder === 0 ? 0 : table.disorder + 1;
  return { from: Math.max(0, first - margin), to: Math.min(rows.length, first + margin) };
}
