import { exchangeJsonOf } from "../../../src/engine/interchange/exchange-json.ts";
import type { TableFormat } from "../../../src/engine/interchange/table.ts";
import { exchangeTable } from "../../../src/engine/interchange/tables.ts";
import { withWholeTarget } from "../../../src/engine/interchange/whole-target.ts";
import type { ExportTable } from "../../../src/engine/messages/exchange-messages.ts";
import { isAbbreviated } from "../../../src/engine/model/endpoint.ts";
import type { Exchange } from "../../../src/engine/model/exchange.ts";
import { type Result, success } from "../../../src/engine/model/result.ts";
import {
  annotationIn,
  type ExportSource,
  matchingSourceOf,
  type Piece,
  progressOf,
} from "../../../src/engine/report/export-source.ts";
import { harContextOf, harPieces } from "../../../src/engine/report/har-pieces.ts";
import { matchingExchanges, type PickedRanges } from "../../../src/engine/session/lists/matching-exchanges.ts";
import { commandPause } from "../process/timeslicer.ts";
import { tablePieces, tableText } from "./export-tables.ts";
import { reportPieces } from "./report-page.ts";

/** What to export: all exchanges, the report on the whole session (`html`), or one table. */
export type ExportForm =
  | { readonly format: "har" | "html" | TableFormat; readonly table: null }
  | { readonly format: TableFormat; readonly table: ExportTable };

/**
 * The text of an export in pieces, one for each entry or row. An invalid filter is a failure. `picked`: only the
 * exchanges in these ranges of a traffic list; tables ignore it, and the report ignores both.
 */
export function exportText(
  source: ExportSource,
  form: ExportForm,
  filter: string,
  redact: boolean,
  picked: PickedRanges | null = null,
): Result<AsyncGenerator<Piece>> {
  if (form.table !== null) return tableText(source, form.table, form.format, filter, redact);
  if (form.format === "html") return success(reportPieces(source, redact));
  const matching = matchingExchanges(matchingSourceOf(source), filter, picked);
  if (!matching.ok) return matching;
  const exchanges = withWholeTargets(matching.value, source);
  if (form.format === "har")
    return success(harPieces(source, exchanges, redact, () => harContextOf(source, commandPause())));
  if (form.format === "json") return success(jsonPieces(source, exchanges, redact));
  const table = exchangeTable(exchanges, (id) => annotationIn(source.session, id), redact);
  return success(tablePieces(table, form.format));
}

function* withWholeTargets(exchanges: Iterable<Exchange>, { reader }: ExportSource): Generator<Exchange> {
  for (const exchange of exchanges)
    yield isAbbreviated(exchange.target) ? withWholeTarget(exchange, reader?.headsOf(exchange.id) ?? null) : exchange;
}

async function* jsonPieces(
  source: ExportSource,
  exchanges: Iterable<Exchange>,
  redact: boolean,
): AsyncGenerator<Piece> {
  yield { text: "[\n", progress: 0 };
  let count = 0;
  for (const exchange of exchanges) {
    const separator = count === 0 ? "" : ",\n";
    count += 1;
    const json = exchangeJsonOf(exchange, annotationIn(source.session, exchange.id), redact);
    yield { text: separator + JSON.stringify(json), progress: progressOf(source, count) };
  }
  yield { text: "\n]\n", progress: 1 };
}
