import type { ValueQuery } from "../../messages/messages.ts";
import type { Exchange } from "../../model/exchange.ts";
import { failure, type Result, success } from "../../model/result.ts";
import type { Settings } from "../../model/settings.ts";
import type { ExchangeId } from "../../model/units.ts";
import { FINDINGS_AWAITED, type Findings } from "../evaluation/findings.ts";
import { InsightEvaluator } from "../evaluation/insight-evaluator.ts";
import { filterOf, namesFindings } from "../filter/filter.ts";
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

/**
 * The list of exchanges that match the filter, and the evaluator to read it with. Fails if the filter cannot be
 * applied.
 */
export function matchingList(
  { session, settings, headsOf, findings }: MatchingSource,
  filterText: string,
): Result<{ readonly list: TrafficList; readonly evaluator: InsightEvaluator }> {
  const parsed = filterOf(filterText);
  if (!parsed.ok) return parsed;
  const filter = parsed.value;
  if (namesFindings(filter)) {
    if (findings === null) return failure("This export does not look for findings, so “finding:” cannot be applied.");
    if (findings.ranked().found === null) return failure(FINDINGS_AWAITED);
  }
  const reading = new HeaderReading(session.table, filter);
  reading.advance(headsOf, Number.POSITIVE_INFINITY);
  if (reading.problem !== null) return failure(reading.problem);
  return success({
    list: new TrafficList(session, filter),
    evaluator: new InsightEvaluator(session, settings, findings),
  });
}

/** Every exchange that matches, oldest first, for an export. */
export function matchingExchanges(source: MatchingSource, filterText: string): Result<Iterable<Exchange>> {
  const matching = matchingList(source, filterText);
  if (!matching.ok) return matching;
  const { list, evaluator } = matching.value;
  return success(exchangesAt(source.session, list.rows(evaluator).slice()));
}

/** The exchanges in the given ranges of a traffic list, oldest first. */
export function pickedExchanges(
  source: MatchingSource,
  { filter, sort, stretches }: Pick<Extract<ValueQuery, { view: "picked" }>, "filter" | "sort" | "stretches">,
): Result<readonly ExchangeId[]> {
  const matching = matchingList(source, filter);
  if (!matching.ok) return matching;
  const { list, evaluator } = matching.value;
  const rows = list.picked(sort, stretches, evaluator);
  return success(Array.from(rows, (row) => source.session.table.ids.at(row) as ExchangeId));
}

/** The exchanges at these rows. Skips rows that were evicted meanwhile. */
function* exchangesAt({ table }: Session, rows: Uint32Array): Generator<Exchange, void, undefined> {
  for (const row of rows) if (row >= table.firstRow) yield table.exchangeAt(row);
}
