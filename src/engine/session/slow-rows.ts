import { firstPlace } from "./first-place.ts";
import type { Judge } from "./judge.ts";
import type { Session } from "./session.ts";

/** Our choice: to look up one that is slow by its id takes as long as to look at so many rows in their order. */
const LOOK_UP = 4;

/** Those of `rows` (ascending) that are slow: by a look at each, or, where only few can be, by looking those up. */
export function slowAmong(session: Session, rows: Uint32Array, judge: Judge): Uint32Array {
  const few = fewSlow(session, rows.length / LOOK_UP, judge);
  if (few === null) return rows.filter((row) => judge.isSlow(row));
  return few.filter((row) => rows[firstPlace(0, rows.length, (place) => (rows[place] as number) >= row)] === row);
}

/** All slow rows, ascending; `null` if there are more than `most`. */
function fewSlow(session: Session, most: number, judge: Judge): Uint32Array | null {
  const { slowTotal: count } = judge;
  if (count > most) return null;
  const rows = new Uint32Array(count);
  let next = 0;
  const counts = judge.slowCounts();
  for (let number = 1; number < counts.length; number += 1) {
    if (counts[number] === 0) continue;
    forEachSlow(session, judge, number, (row) => {
      rows[next] = row;
      next += 1;
    });
  }
  return rows.sort();
}

/** Visits the slow requests of an endpoint (by its number) that are still in the list, as `LatencyTally.forEachAbove` does. */
export function forEachSlow(
  { tallies, table }: Session,
  judge: Judge,
  endpoint: number,
  visit: (row: number, excess: number) => void,
  isEnough: () => boolean = () => false,
): void {
  const limit = judge.slowLimit(endpoint);
  if (limit === Number.POSITIVE_INFINITY) return;
  tallies.at(endpoint)?.forEachAbove(
    limit,
    (latency, id) => {
      const row = table.rowOf(id);
      if (row !== null) visit(row, latency - limit);
    },
    isEnough,
  );
}
