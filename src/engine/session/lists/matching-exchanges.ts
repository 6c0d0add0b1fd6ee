import type { ValueQuery } from "../../messages/messages.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { Settings } from "../../model/settings.ts";
import type { ExchangeId } from "../../model/units.ts";
import { FINDINGS_AWAITED, type Findings } from "../evaluation/findings.ts";
import { InsightEvaluator } from "../evaluation/insight-evaluator.ts";
import { type FilterProblem, filterOf, isProblem, namesFindings } from "../filter/filter.ts";
import { HeaderReading } from "../filter/header-reading.ts";
import type { Session } from "../session.ts";
import type { HeadsOf } from "../table/header-columns.ts";
import { TrafficList } from "./traffic-list.ts";

/** What a filter is applied to. */
export interface MatchingSource {
  readonly session: Session;
  readonly settings: Settings;
  readonly headsOf: HeadsOf;
  /** `null` if no findings are searched for. */
  readonly findings: Pick<Findings, "version" | "ranked"> | null;
}

/** The list of a filter's exchanges, and the evaluator for it; or the filter's problem. */
export function matchingList(
  { session, settings, headsOf, findings }: MatchingSource,
  filterText: string,
): { readonly list: TrafficList; readonly judge: InsightEvaluator } | FilterProblem {
  const filter = filterOf(filterText);
  if (isProblem(filter)) return filter;
  if (namesFindings(filter)) {
    if (findings === null) return { problem: "Weir does not look for findings here, so “finding:” cannot be applied." };
    if (findings.ranked().found === null) return { problem: FINDINGS_AWAITED };
  }
  const reading = new HeaderReading(session.table, filter);
  reading.advance(headsOf, Number.POSITIVE_INFINITY);
  if (reading.problem !== null) return { problem: reading.problem };
  return { list: new TrafficList(session, filter), judge: new InsightEvaluator(session, settings, findings) };
}

/** Every exchange that matches, oldest first, for an export; or the filter's problem. */
export function matchingExchanges(source: MatchingSource, filterText: string): Iterable<Exchange> | FilterProblem {
  const matching = matchingList(source, filterText);
  if ("problem" in matching) return matching;
  return exchangesAt(source.session, matching.list.rows(matching.judge).slice());
}

/** The rows in some ranges of a traffic list, oldest first; or the filter's problem. */
export function pickedExchanges(
  source: MatchingSource,
  { filter, sort, stretches }: Pick<Extract<ValueQuery, { view: "picked" }>, "filter" | "sort" | "stretches">,
): readonly ExchangeId[] | FilterProblem {
  const matching = matchingList(source, filter);
  if ("problem" in matching) return matching;
  const rows = matching.list.picked(sort, stretches, matching.judge);
  return Array.from(rows, (row) => source.session.table.ids.at(row) as ExchangeId);
}

/** The exchanges at these rows. Skips rows that were evicted meanwhile. */
function* exchangesAt({ table }: Session, rows: Uint32Array): Generator<Exchange, void, undefined> {
  for (const row of rows) if (row >= table.firstRow) yield table.exchangeAt(row);
}
