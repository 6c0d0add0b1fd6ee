import type { Side } from "../../src/engine/capture/event.ts";
import { exchangeJsonOf } from "../../src/engine/interchange/exchange-json.ts";
import { HAR_SEPARATOR, type HarSource, harEnd, harEntry, harStart } from "../../src/engine/interchange/har.ts";
import { piecesOf, type Table, type TableFormat } from "../../src/engine/interchange/table.ts";
import {
  chainsTable,
  exchangeTable,
  groupsTable,
  latencyTable,
  payloadTable,
  repeatsTable,
  slowTable,
  trendsTable,
} from "../../src/engine/interchange/tables.ts";
import type { ExportTable } from "../../src/engine/messages/messages.ts";
import type { Exchange } from "../../src/engine/model/exchange.ts";
import { NO_REMARK, type Remark } from "../../src/engine/model/remark.ts";
import type { Settings } from "../../src/engine/model/settings.ts";
import type { ExchangeId, Instant } from "../../src/engine/model/units.ts";
import { ChainFinder } from "../../src/engine/session/chain-finder.ts";
import { latencyRows } from "../../src/engine/session/endpoint-lists.ts";
import { type Filter, filterOf, isProblem } from "../../src/engine/session/filter.ts";
import type { Baseline } from "../../src/engine/session/history.ts";
import { Judge } from "../../src/engine/session/judge.ts";
import { matchingExchanges } from "../../src/engine/session/matching-exchanges.ts";
import { overlapsOf } from "../../src/engine/session/overlap-sweep.ts";
import { payloadFindings } from "../../src/engine/session/payload-list.ts";
import type { Session } from "../../src/engine/session/session.ts";
import { slowRows } from "../../src/engine/session/slow-list.ts";
import { trendsFound } from "../../src/engine/session/trend-list.ts";
import { decodeBody } from "./body-decoding.ts";
import { Bites } from "./errand.ts";
import type { SessionReader } from "./storage/session-reader.ts";
import { codingOf, isStoredDecoded } from "./stored-body.ts";
import { bodyKeyOf, tracesOf } from "./traces.ts";

/** What is to be written: every exchange, or one finding table. */
export type ExportForm =
  | { readonly format: "har" | TableFormat; readonly table: null }
  | { readonly format: TableFormat; readonly table: ExportTable };

export interface ExportSource {
  readonly session: Session;
  /** `null`: nothing was captured. */
  readonly reader: SessionReader | null;
  /** The sessions that trends compare with. */
  readonly baseline: Baseline;
  readonly settings: Settings;
  readonly version: string;
}

interface Piece {
  readonly text: string;
  /** From 0 to 1. */
  readonly progress: number;
}

/** Every row of a table: an export has no window. */
const ALL = { from: 0, count: Number.MAX_SAFE_INTEGER };

/** The text of an export in pieces, an entry or a row each; or a sentence why the filter says nothing. */
export function exportText(
  source: ExportSource,
  form: ExportForm,
  filter: string,
  redact: boolean,
): AsyncGenerator<Piece> | string {
  if (form.table !== null) {
    const terms = filterOf(filter);
    if (isProblem(terms)) return terms.problem;
    if (isFindings(form.table)) return findingPieces(source, form.table, form.format, redact);
    const table = tableOf(source, form.table, terms);
    return typeof table === "string" ? table : tablePieces(table, form.format);
  }
  const exchanges = matchingExchanges(source.session, filter, source.settings);
  if ("problem" in exchanges) return exchanges.problem;
  if (form.format === "har") return harPieces(source, exchanges, redact);
  if (form.format === "json") return jsonPieces(source, exchanges, redact);
  return tablePieces(
    exchangeTable(exchanges, (id) => remarkIn(source.session, id), redact),
    form.format,
  );
}

/** Of the whole session, whatever the filter: an exchange more or less makes other findings. */
const FINDINGS = ["chains", "groups", "repeats"] as const;

type FindingsName = (typeof FINDINGS)[number];

function isFindings(name: ExportTable): name is FindingsName {
  return FINDINGS.some((one) => one === name);
}

function tableOf(
  { session, settings, baseline }: ExportSource,
  name: Exclude<ExportTable, FindingsName>,
  filter: Filter,
): Table | string {
  const judge = new Judge(session, settings);
  switch (name) {
    case "latency": {
      const rows = latencyRows(session, filter, { column: "p95", descending: true }, ALL);
      return "problem" in rows ? rows.problem : latencyTable(rows.records);
    }
    case "slow":
      return slowTable(slowRows(session, filter, { cause: "all", endpoint: null, range: ALL }, judge).records);
    case "payload": {
      const rows = payloadFindings(session, filter, judge);
      return "problem" in rows ? rows.problem : payloadTable(rows);
    }
    case "trends": {
      const rows = trendsFound(session, baseline, settings, filter);
      return "problem" in rows ? rows.problem : trendsTable(rows);
    }
  }
}

async function* findingPieces(
  source: ExportSource,
  name: FindingsName,
  format: TableFormat,
  redact: boolean,
): AsyncGenerator<Piece> {
  const { session, reader, settings } = source;
  const bites = new Bites();
  if (name === "chains") {
    const finder = new ChainFinder(session, settings.chainGap);
    for (const some of finder.batches(1)) {
      for (const exchange of some) {
        finder.record(exchange, reader === null ? undefined : await tracesOf(reader, exchange));
      }
      await bites.pause();
    }
    for (const _ of finder.settle(Number.POSITIVE_INFINITY as Instant)) await bites.pause();
    return yield* tablePieces(chainsTable(finder.found.chains, redact), format);
  }
  const steps = overlapsOf(session, (exchange) => (reader === null ? null : bodyKeyOf(reader, exchange)));
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) {
      const { groups, repeats } = step.value;
      return yield* tablePieces(name === "groups" ? groupsTable(groups) : repeatsTable(repeats, redact), format);
    }
    await bites.pause();
  }
}

async function* tablePieces(table: Table, format: TableFormat): AsyncGenerator<Piece> {
  for (const text of piecesOf(table, format)) yield { text, progress: 0 };
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
    const json = exchangeJsonOf(exchange, remarkIn(source.session, exchange.id), redact);
    yield { text: separator + JSON.stringify(json), progress: progressOf(source, count) };
  }
  yield { text: "\n]\n", progress: 1 };
}

/** The exchanges as one HAR document. */
export async function* harPieces(
  source: ExportSource,
  exchanges: Iterable<Exchange>,
  redact: boolean,
): AsyncGenerator<Piece> {
  yield { text: harStart(source.version, redact), progress: 0 };
  let count = 0;
  for (const exchange of exchanges) {
    const separator = count === 0 ? "" : HAR_SEPARATOR;
    count += 1;
    const entry = harEntry(await harSourceOf(source, exchange), redact);
    yield { text: separator + entry, progress: progressOf(source, count) };
  }
  yield { text: harEnd(), progress: 1 };
}

function progressOf({ session }: ExportSource, done: number): number {
  return Math.min(1, done / Math.max(1, session.exchanges - session.forgotten));
}

async function harSourceOf({ session, reader }: ExportSource, exchange: Exchange): Promise<HarSource> {
  const { id, requestBodySize, encodedBodySize } = exchange;
  const heads = reader?.headsOf(id) ?? { request: "", response: null };
  const request = bytesOf(reader, exchange, "request");
  const response = bytesOf(reader, exchange, "response");
  const decoded = await decodeBody(response, codingOf(exchange, heads.response ?? ""));
  const stored = isStoredDecoded(exchange) ? (exchange.decodedBodySize ?? encodedBodySize) : encodedBodySize;
  const responseBody = { bytes: decoded.bytes, whole: response.length >= stored };
  return {
    exchange,
    requestHead: heads.request,
    responseHead: heads.response,
    requestBody: { bytes: request, whole: request.length === requestBodySize },
    responseBody: decoded.problem === null ? responseBody : null,
    serverAddress: addressOf(serverOf(session, id)),
    remark: remarkIn(session, id),
    messages: reader === null ? [] : messagesOf(reader, exchange),
  };
}

function remarkIn({ table }: Session, id: ExchangeId): Remark {
  const row = table.rowOf(id);
  return row === null ? NO_REMARK : table.remarks.at(row);
}

/** `address:port` of the row: it outlives the facts of its connection, of which only the latest are kept. */
function serverOf({ table }: Session, id: ExchangeId): string | null {
  const row = table.rowOf(id);
  return row === null ? null : table.texts.textAt(table.server.at(row));
}

function bytesOf(reader: SessionReader | null, { id }: Exchange, side: Side): Buffer {
  const part = reader?.readBody(id, side, 0, Number.MAX_SAFE_INTEGER);
  return part?.kind === "bytes" ? part.bytes : Buffer.alloc(0);
}

function* messagesOf(
  reader: SessionReader,
  { id }: Exchange,
): Generator<HarSource["messages"] extends Iterable<infer M> ? M : never> {
  const count = reader.messageCount(id);
  const AT_ONCE = 100;
  for (let from = 0; from < count; from += AT_ONCE) {
    for (const message of reader.readMessages(id, from, AT_ONCE)) {
      const part = reader.readMessage(id, message.index);
      const { at, side, kind, cut } = message;
      yield { at, side, kind, cut, bytes: part.kind === "bytes" ? part.bytes : new Uint8Array(0) };
    }
  }
}

/** `address:port`, IPv6 in brackets, without the port and the brackets. */
function addressOf(address: string | null): string | null {
  return address === null ? null : address.slice(0, address.lastIndexOf(":")).replace(/^\[(.*)\]$/, "$1");
}
