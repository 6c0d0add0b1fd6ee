import { queryPairsOf } from "../../insights/facts/query-pairs.ts";
import { pathOf } from "../../model/endpoint.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";
import type { LongTargetColumn } from "../table/long-targets.ts";
import { literal } from "./literal.ts";
import { RowPredicate } from "./row-predicate.ts";
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

/** A test of targets that is right for abbreviated ones as well. */
export class LongTargetPredicate extends RowPredicate {
  readonly #long: LongTargetColumn;
  readonly #others: RowPredicate;
  readonly #isOfStatus: boolean;

  /** `others`: the test of all other rows. `isOfStatus`: whether a row's status can match instead of its target. */
  constructor(long: LongTargetColumn, others: RowPredicate, isOfStatus: boolean) {
    super();
    this.#long = long;
    this.#others = others;
    this.#isOfStatus = isOfStatus;
  }

  override holds(row: number): boolean {
    const known = this.#long.at(row);
    if (known === null || (!known && this.#isOfStatus)) return this.#others.holds(row);
    return known;
  }

  override retainMatches(rows: Uint32Array, count: number): number {
    return this.#long.isNeeded ? super.retainMatches(rows, count) : this.#others.retainMatches(rows, count);
  }
}
