import { queryPairsOf } from "../../insights/facts/query-pairs.ts";
import { pathOf } from "../../model/endpoint.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";
import type { LongTargetColumn } from "../table/long-targets.ts";
import { literal } from "./literal.ts";
import { type RowPredicate, rowPredicate } from "./row-predicate.ts";
import type { Condition } from "./term.ts";

/**
 * The column with a condition's results for abbreviated targets, which only storage has whole; `null` if the condition
 * is not about targets.
 */
export function longTargetsOf(table: ExchangeTable, condition: Condition): LongTargetColumn | null {
  const { longTargets } = table;
  const key = JSON.stringify(condition);
  if (condition.kind === "query") return longTargets.of(key, (_, target) => hasPair(target, condition));
  if (condition.kind !== "text") return null;
  const pattern = literal(condition.text);
  if (condition.field === "path") return longTargets.of(key, (_, target) => pattern.test(pathOf(target)));
  if (condition.field !== "word") return null;
  return longTargets.of(key, (row, target) => pattern.test(`${table.methodAt(row)} ${table.originAt(row)}${target}`));
}

/** Whether the target's query has the parameter, with the value if the condition names one. */
export function hasPair(target: string, { name, value }: Condition & { readonly kind: "query" }): boolean {
  const wanted = value?.toLowerCase();
  return queryPairsOf(target).some(
    ([key, each]) => key === name && (wanted === undefined || each.toLowerCase() === wanted),
  );
}

/**
 * A test of targets that is right for abbreviated ones as well. `others`: the test of all other rows. `isOfStatus`:
 * whether a row's status can match instead of its target.
 */
export function longTargetPredicate(long: LongTargetColumn, others: RowPredicate, isOfStatus: boolean): RowPredicate {
  const each = rowPredicate((row) => {
    const known = long.at(row);
    return known === null || (!known && isOfStatus) ? others.holds(row) : known;
  });
  const retainMatches: RowPredicate["retainMatches"] = (rows, count) =>
    (long.isNeeded ? each : others).retainMatches(rows, count);
  return { holds: each.holds, retainMatches };
}
