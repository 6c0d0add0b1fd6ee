import type { BodyFacts, ExchangeDetail } from "../messages/exchange-messages.ts";
import { failedAfterOf } from "../model/duration.ts";
import { headerOf } from "../model/head.ts";
import { overheadOf, phasesOf, uploadOf } from "../model/phases.ts";
import { spansOf } from "../model/span.ts";
import type { Bytes, ExchangeId } from "../model/units.ts";
import { waitOf } from "../model/wait.ts";
import type { Archive } from "./archive.ts";
import { endpointStatsOf } from "./endpoint-lists.ts";
import type { Judge } from "./judge.ts";
import type { Session } from "./session.ts";
import { clientSharingOf, serverSharingOf } from "./sharing.ts";

/** The inspector's exchange; `null` if it is gone. */
export function exchangeDetailOf(
  session: Session,
  archive: Archive,
  id: ExchangeId,
  judge: Judge,
): ExchangeDetail | null {
  const row = session.table.rowOf(id);
  if (row === null) return null;
  const exchange = session.table.exchangeAt(row);
  const { instants, connection } = exchange;
  const wait = waitOf(exchange);
  const heads = archive.headsOf(id) ?? { request: "", response: null };
  const latency = session.table.latencyAt(row);
  const server = connection === null ? null : session.connections.factsOf(connection);
  return Object.freeze({
    exchange,
    phases: phasesOf(instants),
    spans: spansOf(instants),
    latency: Number.isNaN(latency) ? null : latency,
    failedAfter: failedAfterOf(exchange),
    upload: uploadOf(instants),
    overhead: overheadOf(instants, wait),
    requestHead: heads.request,
    responseHead: heads.response,
    requestBody: bodyFactsOf(exchange.requestBodySize, archive.bodyOf(id, "request").kept, heads.request),
    responseBody: bodyFactsOf(exchange.encodedBodySize, archive.bodyOf(id, "response").kept, heads.response),
    slow: judge.slowRecord(row),
    oversized: judge.isOversized(row),
    stats: endpointStatsOf(session.tallyAt(row)),
    wait,
    serverSharing: serverSharingOf(session, row),
    clientSharing: clientSharingOf(session, row),
    server: server === null ? null : { address: server.address, tls: server.tls },
    messages: archive.messageCount(id),
    remark: session.table.remarks.at(row),
  });
}

function bodyFactsOf(size: Bytes, kept: Bytes, head: string | null): BodyFacts {
  return Object.freeze({
    size,
    kept,
    contentType: head === null ? null : headerOf(head, "content-type"),
    contentEncoding: head === null ? null : headerOf(head, "content-encoding"),
  });
}
