import type { Milliseconds } from "../../model/units.ts";
import type { Session } from "../session.ts";
import { sharedRows } from "../table/row-sets.ts";
import type { InsightEvaluator } from "./insight-evaluator.ts";

/** Finding a row by its id takes this many times as long as reading the next row. */
const LOOK_UP = 4;

/**
 * Returns the slow rows among `rows` (ascending). Usually tests each row. If the session has few slow rows, searches
 * `rows` for these instead.
 */
export function slowAmong(session: Session, rows: Uint32Array, evaluator: InsightEvaluator): Uint32Array {
  const few = fewSlow(session, rows.length / LOOK_UP, evaluator);
  if (few === null) return rows.filter((row) => evaluator.isSlow(row));
  return sharedRows(few, rows);
}

/** All slow rows, ascending; `null` if there are more than `most`. */
function fewSlow(session: Session, most: number, evaluator: InsightEvaluator): Uint32Array | null {
  const { slowTotal: count } = evaluator;
  if (count > most) return null;
  const rows = new Uint32Array(count);
  let next = 0;
  const counts = evaluator.slowCounts();
  for (let number = 1; number < counts.length; number += 1) {
    if (counts[number] === 0) continue;
    forEachSlow(session, evaluator, number, (row) => {
      rows[next] = row;
      next += 1;
    });
  }
  return rows.sort();
}

/** Visits the endpoint's slow requests that are still in the table, in the order in which they were recorded. */
export function forEachSlow(
  { tallies, table }: Session,
  evaluator: InsightEvaluator,
  endpoint: number,
  visit: (row: number, latency: Milliseconds) => void,
): void {
  const limit = evaluator.slowLimit(endpoint);
  if (limit === Number.POSITIVE_INFINITY) return;
  tallies.at(endpoint)?.forEachAbove(limit, (latency, id) => {
    const row = table.rowOf(id);
    if (row !== null) visit(row, latency);
  });
}
