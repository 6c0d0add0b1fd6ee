import type { ValueQuery } from "../../messages/messages.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { Settings } from "../../model/settings.ts";
import type { ExchangeId } from "../../model/units.ts";
import { InsightEvaluator } from "../evaluation/insight-evaluator.ts";
import { type FilterProblem, filterOf, isProblem } from "../filter/filter.ts";
import type { Session } from "../session.ts";
import { TrafficList } from "./traffic-list.ts";

/** Every matching exchange, oldest first, for an export; or the filter's problem. */
export function matchingExchanges(
  session: Session,
  filterText: string,
  settings: Settings,
): Iterable<Exchange> | FilterProblem {
  const filter = filterOf(filterText);
  if (isProblem(filter)) return filter;
  const rows = new TrafficList(session, filter).rows(new InsightEvaluator(session, settings)).slice();
  return exchangesAt(session, rows);
}

/** The rows in some ranges of a traffic list, oldest first; or the filter's problem. */
export function pickedExchanges(
  session: Session,
  { filter: text, sort, stretches }: Pick<Extract<ValueQuery, { view: "picked" }>, "filter" | "sort" | "stretches">,
  settings: Settings,
): readonly ExchangeId[] | FilterProblem {
  const filter = filterOf(text);
  if (isProblem(filter)) return filter;
  const rows = new TrafficList(session, filter).picked(sort, stretches, new InsightEvaluator(session, settings));
  return Array.from(rows, (row) => session.table.ids.at(row) as ExchangeId);
}

/** Skips rows evicted in the meantime. */
function* exchangesAt({ table }: Session, rows: Uint32Array): Generator<Exchange, void, undefined> {
  for (const row of rows) if (row >= table.firstRow) yield table.exchangeAt(row);
}
