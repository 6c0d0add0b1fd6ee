import type { ValueQuery } from "../messages/messages.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Settings } from "../model/settings.ts";
import type { ExchangeId } from "../model/units.ts";
import { type FilterProblem, filterOf, isProblem } from "./filter.ts";
import { Judge } from "./judge.ts";
import type { Session } from "./session.ts";
import { TrafficList } from "./traffic-list.ts";

/** Every exchange that matches, oldest first, for an export; or why the filter says nothing. */
export function matchingExchanges(
  session: Session,
  filterText: string,
  settings: Settings,
): Iterable<Exchange> | FilterProblem {
  const filter = filterOf(filterText);
  if (isProblem(filter)) return filter;
  const rows = new TrafficList(session, filter).rows(new Judge(session, settings)).slice();
  return exchangesAt(session, rows);
}

/** Which exchanges lie in some stretches of a traffic list, oldest first; or why the filter says nothing. */
export function pickedExchanges(
  session: Session,
  { filter: text, sort, stretches }: Pick<Extract<ValueQuery, { view: "picked" }>, "filter" | "sort" | "stretches">,
  settings: Settings,
): readonly ExchangeId[] | FilterProblem {
  const filter = filterOf(text);
  if (isProblem(filter)) return filter;
  const rows = new TrafficList(session, filter).picked(sort, stretches, new Judge(session, settings));
  return Array.from(rows, (row) => session.table.ids.at(row) as ExchangeId);
}

/** A row that was forgotten meanwhile is left out. */
function* exchangesAt({ table }: Session, rows: Uint32Array): Generator<Exchange, void, undefined> {
  for (const row of rows) if (row >= table.firstRow) yield table.exchangeAt(row);
}
