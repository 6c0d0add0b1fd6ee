import { withWholeTarget } from "../../interchange/whole-target.ts";
import type { BodyFacts, ExchangeDetail, Sharing } from "../../messages/exchange-messages.ts";
import { failedAfterOf } from "../../model/exchange.ts";
import { headerOf, listOf } from "../../model/head.ts";
import { phasesOf, slowedStretchesOf, spansOf, uploadOf, waitOf } from "../../model/phases.ts";
import type { Bytes, ExchangeId } from "../../model/units.ts";
import type { FoundFindings } from "../evaluation/found-findings.ts";
import type { InsightEvaluator } from "../evaluation/insight-evaluator.ts";
import { LONGEST_TARGET } from "../lists/chain-lists.ts";
import { endpointStatsOf } from "../lists/endpoint-lists.ts";
import type { Session } from "../session.ts";
import type { WholeColumn } from "../table/column.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";
import type { Archive } from "./context.ts";

/**
 * The exchange as the inspector shows it; `null` if it was evicted. `found`: `null` before the first search is
 * complete.
 */
export function exchangeDetailOf(
  session: Session,
  archive: Archive,
  id: ExchangeId,
  evaluator: InsightEvaluator,
  found: FoundFindings | null = null,
): ExchangeDetail | null {
  const row = session.table.rowOf(id);
  if (row === null) return null;
  const exchange = session.table.exchangeAt(row);
  const { instants, connection, clientConnection } = exchange;
  const wait = waitOf(exchange);
  const stored = archive.headsOf(id);
  const heads = stored ?? { request: "", response: null };
  const latency = session.table.latencyAt(row);
  const server = connection === null ? null : session.connections.factsOf(connection);
  return Object.freeze({
    exchange: withWholeTarget(exchange, stored),
    phases: phasesOf(instants, wait, exchange.slowed),
    spans: spansOf(instants, wait, exchange.slowed),
    latency: Number.isNaN(latency) ? null : latency,
    failedAfter: failedAfterOf(exchange),
    upload: uploadOf(instants),
    requestHead: heads.request,
    responseHead: heads.response,
    requestBody: bodyFactsOf(exchange.requestBodySize, archive.bodyOf(id, "request").kept, heads.request),
    responseBody: bodyFactsOf(exchange.encodedBodySize, archive.bodyOf(id, "response").kept, heads.response),
    slow: evaluator.slowRecord(row),
    oversized: evaluator.isOversized(row),
    findings: found?.namesOf(id) ?? [],
    stats: endpointStatsOf(session.tallyAt(row)),
    wait,
    slowed: slowedStretchesOf(exchange),
    serverSharing: serverSharingOf(session, row),
    clientSharing: clientSharingOf(session, row),
    clientTls: clientConnection === null ? null : session.clientTlsOf(clientConnection),
    server: server === null ? null : { address: server.address, tls: server.tls },
    messages: archive.messageCount(id),
    annotation: session.table.annotations.at(row),
    unit: unitAt(session, row),
  });
}

function unitAt({ table }: Session, row: number): number | null {
  const unit = table.unit.at(row, 0);
  return Number.isNaN(unit) ? null : unit;
}

function bodyFactsOf(size: Bytes, kept: Bytes, head: string | null): BodyFacts {
  return Object.freeze({
    size,
    kept,
    contentType: head === null ? null : headerOf(head, "content-type"),
    contentEncoding: head === null ? null : listOf(head, "content-encoding"),
  });
}

/** How many rows are read before an exchange, and after it. This takes about a millisecond. */
const REACH = 10_000;

/**
 * The other exchanges on the server connection while the row's exchange ran; `null` if no connection carried that
 * exchange.
 */
export function serverSharingOf(session: Session, row: number): Sharing | null {
  const { table } = session;
  const { connection } = table.kept;
  const number = connection.valueAt(row);
  if (number === null) return null;
  const opener = session.connections.openerOf(number);
  const opened = opener === null ? null : table.rowOf(opener);
  // Earlier rows are left out, since no exchange used the connection before it was open.
  const first = opened === null ? table.firstRow : Math.max(table.firstRow, opened - table.disorder);
  const openedBy = opened === null || opened === row ? null : table.exchangeAt(opened);
  return Object.freeze({
    ...othersOn(connection, table, row, first),
    openedBy: openedBy && { method: openedBy.method, target: openedBy.target.slice(0, LONGEST_TARGET) },
  });
}

/**
 * How the client connection was shared; `null` if the connection is unknown. Which exchange opened the connection is
 * not known.
 */
export function clientSharingOf({ table }: Session, row: number): Sharing | null {
  const { clientConnection } = table.kept;
  if (clientConnection.valueAt(row) === null) return null;
  return Object.freeze({ ...othersOn(clientConnection, table, row, table.firstRow), openedBy: null });
}

/**
 * The largest number of other rows on the same connection that were in flight at once while this row was in flight.
 * `first`: the first row to read.
 */
function othersOn(
  connection: WholeColumn,
  table: ExchangeTable,
  row: number,
  first: number,
): Omit<Sharing, "openedBy"> {
  const same = connection.at(row);
  const start = table.instants.startAt(row);
  const end = endOf(table, row);
  const from = Math.max(first, row - REACH);
  const to = Math.min(table.nextRow, row + REACH);
  const changes: Change[] = [];
  let seen = from;
  for (; seen < to; seen += 1) {
    const [begun, ended] = [table.instants.startAt(seen), endOf(table, seen)];
    if (begun >= end && seen > row && table.disorder === 0) break;
    if (connection.at(seen) !== same || seen === row || table.isHiddenAt(seen) || begun >= end || ended <= start)
      continue;
    changes.push({ at: Math.max(start, begun), by: 1 }, { at: ended, by: -1 });
  }
  return { others: mostAtOnce(changes), more: from > first || (seen === to && to < table.nextRow) };
}

/** A start or an end of an exchange. */
interface Change {
  readonly at: number;
  readonly by: 1 | -1;
}

/** The largest number of exchanges in flight at once. At the same instant, ends come before starts. */
function mostAtOnce(changes: readonly Change[]): number {
  let [now, most] = [0, 0];
  for (const { by } of changes.toSorted((a, b) => a.at - b.at || a.by - b.by)) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}

/** The end of a row; infinite while the row is in flight. */
function endOf(table: ExchangeTable, row: number): number {
  const end = table.endTime.at(row);
  return Number.isNaN(end) ? Number.POSITIVE_INFINITY : end;
}
