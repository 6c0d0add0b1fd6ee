import { withWholeTarget } from "../../interchange/whole-target.ts";
import type { BodyFacts, ExchangeDetail } from "../../messages/exchange-messages.ts";
import { failedAfterOf } from "../../model/exchange.ts";
import { headerOf, listOf } from "../../model/head.ts";
import { phasesOf, slowedStretchesOf, spansOf, uploadOf, waitOf } from "../../model/phases.ts";
import type { Bytes, ExchangeId } from "../../model/units.ts";
import type { FoundFindings } from "../evaluation/found-findings.ts";
import type { InsightEvaluator } from "../evaluation/insight-evaluator.ts";
import { endpointStatsOf } from "../lists/endpoint-lists.ts";
import type { Session } from "../session.ts";
import type { Archive } from "./context.ts";
import { clientSharingOf, serverSharingOf } from "./sharing.ts";

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
