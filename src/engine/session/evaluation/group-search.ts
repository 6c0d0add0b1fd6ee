import { intervalOf } from "../../insights/interval.ts";
import { ParallelSweep } from "../../insights/parallel-groups.ts";
import type { ParallelGroup } from "../../model/findings.ts";
import type { ExchangeId } from "../../model/units.ts";
import type { Session } from "../session.ts";
import { rowsByStart } from "../table/rows-by-start.ts";
import type { GroupsFound } from "./findings.ts";
import { SortedIds } from "./sorted-ids.ts";

/** The parallel groups of a session, as they cross from the analysis thread. */
export interface GroupRecords {
  /** By start. */
  readonly groups: readonly ParallelGroup[];
  /** The exchanges in groups, ascending, and the first exchange of the group of each. */
  readonly ids: Float64Array;
  readonly firsts: Float64Array;
}

/** Searches the session for parallel groups. */
export function groupRecordsOf({ table }: Session): GroupRecords {
  const sweep = new ParallelSweep();
  for (const row of rowsByStart(table)) {
    const interval = intervalOf(table.viewAt(row));
    if (interval !== null) sweep.add(interval);
  }
  const groups = sweep.find();
  const firsts = new Map<ExchangeId, ExchangeId>();
  for (const { exchanges } of groups) for (const id of exchanges) firsts.set(id, exchanges[0] as ExchangeId);
  const ids = Float64Array.from(firsts.keys()).sort();
  return Object.freeze({ groups, ids, firsts: ids.map((id) => firsts.get(id as ExchangeId) ?? id) });
}

export function groupsFoundOf({ groups, ids, firsts }: GroupRecords): GroupsFound {
  const known = new SortedIds(ids);
  return Object.freeze({
    groups,
    groupOf: (id: ExchangeId) => (firsts[known.placeOf(id)] ?? null) as ExchangeId | null,
  });
}
