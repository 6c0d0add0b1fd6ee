import type { ValueQuery } from "../../messages/messages.ts";
import type { Exchange } from "../../model/exchange.ts";
import { failure, type Result, success } from "../../model/result.ts";
import type { Settings } from "../../model/settings.ts";
import type { ExchangeId } from "../../model/units.ts";
import { InsightEvaluator } from "../evaluation/insight-evaluator.ts";
import { FINDINGS_AWAITED, type FilterInsights } from "../evaluation/insights.ts";
import { filterOf, withoutHosts } from "../filter/filter.ts";
import { HeaderReading } from "../filter/header-reading.ts";
import { bodyTextsOf, type Filter, namesFindings, namesSlow } from "../filter/term.ts";
import type { Session } from "../session.ts";
import type { HeadsOf } from "../table/header-columns.ts";
import { TrafficList } from "./traffic-list.ts";

/** What a filter is applied to. */
export interface MatchingSource {
  readonly session: Session;
  readonly settings: Settings;
  readonly headsOf: HeadsOf;
  /** The hosts whose exchanges never match; absent for none. */
  readonly hiddenHosts?: readonly string[] | undefined;
  /** `null` if no findings are searched for. */
  readonly insights: FilterInsights | null;
}

/** The exchanges that match a filter, and the evaluator to read their list with. */
interface Matching {
  readonly filter: Filter;
  readonly list: TrafficList;
  readonly evaluator: InsightEvaluator;
}

/** Work that yields after each slice of some ms, and then returns its result. Valid until the session changes. */
export type Slices<Value> = Generator<undefined, Value, undefined>;

/** Does all of the work at once. */
export function atOnce<Value>(slices: Slices<Value>): Value {
  for (;;) {
    const { done, value } = slices.next();
    if (done === true) return value;
  }
}

/** Does the work, and calls `pause` after each slice. */
export async function inSlices<Value>(slices: Slices<Value>, pause: () => Promise<void>): Promise<Value> {
  for (;;) {
    const { done, value } = slices.next();
    if (done === true) return value;
    await pause();
  }
}

/** Reads what the filter names, and tests every row. Fails if the filter cannot be applied. */
export function* matchingSlices(
  { session, settings, headsOf, insights, hiddenHosts = [] }: MatchingSource,
  filterText: string,
): Slices<Result<Matching>> {
  const parsed = filterOf(filterText);
  if (!parsed.ok) return parsed;
  const filter = withoutHosts(parsed.value, hiddenHosts);
  if (namesFindings(filter)) {
    if (insights === null) return failure("This export does not look for findings, so “finding:” cannot be applied.");
    if (insights.ranked().found === null) return failure(FINDINGS_AWAITED);
  }
  if (insights === null && bodyTextsOf(filter).length > 0)
    return failure("This export does not search bodies, so “body:” cannot be applied. Export from the window instead.");
  const reading = new HeaderReading(session.table, filter);
  const matching = (): Matching => ({
    filter,
    list: new TrafficList(session, filter),
    evaluator: new InsightEvaluator(session, settings, insights),
  });
  // A list is valid only as long as the endpoints keep their numbers.
  let endpoints: object | null = null;
  let found: Matching | null = null;
  for (; ; yield) {
    if (!reading.advance(headsOf)) continue;
    if (reading.problem !== null) return failure(reading.problem);
    if (found === null || endpoints !== session.table.endpoints) found = matching();
    ({ endpoints } = session.table);
    if (found.list.advance() && (!namesSlow(filter) || found.evaluator.advanceSlowCounts())) return success(found);
  }
}

/** `matchingSlices` at once. */
export function matchingList(source: MatchingSource, filterText: string): Result<Matching> {
  return atOnce(matchingSlices(source, filterText));
}

/** Ranges of a sorted traffic list. */
export type PickedRanges = Pick<Extract<ValueQuery, { view: "picked" }>, "sort" | "stretches">;

/** Every exchange that matches, oldest first, for an export. `picked`: only those in these ranges of the list. */
export function matchingExchanges(
  source: MatchingSource,
  filterText: string,
  picked: PickedRanges | null = null,
): Result<Iterable<Exchange>> {
  const matching = matchingList(source, filterText);
  if (!matching.ok) return matching;
  const { list, evaluator } = matching.value;
  const rows = list.rows(evaluator).slice();
  const chosen = picked === null ? rows : list.picked(rows, picked.sort, picked.stretches).rows();
  return success(exchangesAt(source.session, chosen));
}

/** The exchanges in the given ranges of a traffic list, oldest first. */
export function* pickedExchanges(
  source: MatchingSource,
  { filter, sort, stretches }: PickedRanges & { readonly filter: string },
): Slices<Result<readonly ExchangeId[]>> {
  const { table } = source.session;
  for (;;) {
    const matching = yield* matchingSlices(source, filter);
    if (!matching.ok) return matching;
    const { list, evaluator } = matching.value;
    const { endpoints } = table;
    const found = list.picked(list.rows(evaluator).slice(), sort, stretches);
    while (endpoints === table.endpoints && !found.advance()) yield;
    // Once paths are grouped anew, the list is another one.
    if (endpoints === table.endpoints)
      return success(Array.from(found.rows(), (row) => table.ids.at(row) as ExchangeId));
  }
}

/** The exchanges at these rows. Skips rows that were evicted meanwhile. */
function* exchangesAt({ table }: Session, rows: Uint32Array): Generator<Exchange, void, undefined> {
  for (const row of rows) if (row >= table.firstRow) yield table.exchangeAt(row);
}
