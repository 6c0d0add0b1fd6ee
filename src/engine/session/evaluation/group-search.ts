import { intervalOf } from "../../insights/interval.ts";
import { ParallelSweep } from "../../insights/parallel-groups.ts";
import type { Steps } from "../../model/steps.ts";
import type { ExchangeId } from "../../model/units.ts";
import type { Session } from "../session.ts";
import { rowsByStart } from "../table/rows-by-start.ts";
import type { GroupsFound } from "./findings.ts";

/**
 * The most rows, and the most ids in groups, per slice of work. A slice takes a few
 * milliseconds.
 */
const ROWS_AT_ONCE = 2_000;
const IDS_AT_ONCE = 20_000;

/** Searches the session for parallel groups, one slice of work per step. */
export function* groupsOf({ table }: Session): Steps<GroupsFound> {
  const sweep = new ParallelSweep();
  const rows = yield* rowsByStart(table);
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    for (const row of rows.slice(from, from + ROWS_AT_ONCE)) {
      const interval = row < table.firstRow ? null : intervalOf(table.viewAt(row));
      if (interval !== null) sweep.add(interval);
    }
    yield;
  }
  const groups = yield* sweep.find();
  yield;
  const firsts = new Map<ExchangeId, ExchangeId>();
  for (const { exchanges } of groups) {
    for (const id of exchanges) {
      firsts.set(id, exchanges[0] as ExchangeId);
      if (firsts.size % IDS_AT_ONCE === 0) yield;
    }
  }
  return Object.freeze({ groups, groupOf: (id: ExchangeId) => firsts.get(id) ?? null });
}
