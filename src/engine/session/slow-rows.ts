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

/** All slow rows, ascending; `null` if there are more than `most`, or it takes long to tell. */
function fewSlow(session: Session, most: number, judge: Judge): Uint32Array | null {
  const { tallies } = session;
  if (tallies.length > most) return null;
  let count = 0;
  for (let number = 1; number <= tallies.length; number += 1) count += slowCountOf(session, judge, number);
  if (count > most) return null;
  const rows = new Uint32Array(count);
  let next = 0;
  for (let number = 1; number <= tallies.length; number += 1) {
    forEachSlow(session, judge, number, (row) => {
      rows[next] = row;
      next += 1;
    });
  }
  return rows.sort();
}

/** How many requests of an endpoint (by its number) are slow and still in the list. */
export function slowCountOf(session: Session, judge: Judge, endpoint: number): number {
  return session.tallies[endpoint - 1]?.countListedAbove(judge.slowLimit(endpoint)) ?? 0;
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
  tallies[endpoint - 1]?.forEachAbove(
    limit,
    (latency, id) => {
      const row = table.rowOf(id);
      if (row !== null) visit(row, latency - limit);
    },
    isEnough,
  );
}
