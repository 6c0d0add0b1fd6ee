import type { Walk } from "../insights/links/walks.ts";
import type { EndpointStats, SlowRecord } from "../messages/latency-messages.ts";
import type { Annotation } from "../model/annotation.ts";
import { operationIn, pathOf } from "../model/endpoint.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Link, LinkEvidence, ParallelGroup, PayloadRow, Repeat, Trend } from "../model/findings.ts";
import type { ExchangeId } from "../model/units.ts";
import { type ExchangeJson, exchangeJsonOf } from "./exchange-json.ts";
import { REDACTED } from "./redaction/known-secrets.ts";
import { redactedUrl } from "./redaction.ts";
import type { Table } from "./table.ts";

/** A table with one row for each exchange. The columns are the fields of `ExchangeJson` (docs/specification.md). */
export function exchangeTable(
  exchanges: Iterable<Exchange>,
  annotationOf: (id: ExchangeId) => Annotation,
  redact: boolean,
): Table {
  return {
    columns: EXCHANGE_COLUMNS,
    rows: each(exchanges, (exchange) => ({ ...exchangeJsonOf(exchange, annotationOf(exchange.id), redact) })),
  };
}

const EXCHANGE_COLUMNS = [
  "id",
  "url",
  "method",
  "status",
  "errorType",
  "startTime",
  "dns",
  "connect",
  "tls",
  "ttfb",
  "transfer",
  "latency",
  "requestBodySize",
  "encodedBodySize",
  "decodedBodySize",
  "contentEncoding",
  "reused",
  "protocol",
  "client",
  "tags",
  "waiting",
  "connection",
  "stream",
  "clientConnection",
  "clientStream",
  "mark",
  "comment",
  "program",
  "failedAfter",
  "weir",
  "uncertainty",
  "slowed",
  "held",
] as const satisfies readonly (keyof ExchangeJson)[];

/*
 * The finding tables of `npm run export --table NAME` and of the Export dialog: the values of the views, unrounded, in
 * the columns defined in docs/specification.md.
 */

/** Table `latency`: sizes in bytes, the error rate in percent. */
export function latencyTable(rows: Iterable<EndpointStats>, redact = true): Table {
  return {
    columns: ["method", "origin", "path", "operation", "requests", "p50", "p95", "p99", "avgSize", "errorRate"],
    rows: each(rows, ({ method, origin, path, operation, requests, p50, p95, p99, avgSize, errorRate }) => ({
      method,
      origin,
      path: shownPath(path, redact),
      operation,
      requests,
      p50,
      p95,
      p99,
      avgSize,
      errorRate,
    })),
  };
}

/** Table `slow`: times in ms. */
export function slowTable(rows: Iterable<SlowRecord>, redact = true): Table {
  return {
    columns: ["id", "method", "origin", "path", "operation", "latency", "p95", "reasons", "timesP50", "cause"],
    rows: each(rows, ({ id, endpoint, method, origin, target, latency, p95, reasons, timesP50, cause }) => ({
      id,
      method,
      origin,
      path: shownPath(pathOf(target), redact),
      operation: operationIn(endpoint),
      latency,
      p95,
      reasons,
      timesP50,
      cause: cause === null ? null : { phase: cause.phase, excess: cause.excess },
    })),
  };
}

/** Table `payload`: sizes in bytes. */
export function payloadTable(rows: Iterable<PayloadRow>, redact = true): Table {
  return {
    columns: [
      "method",
      "origin",
      "path",
      "operation",
      "avgRequestSize",
      "avgResponseSize",
      "compressionRatio",
      "oversized",
    ],
    rows: each(rows, (row) => ({ ...row, path: shownPath(row.path, redact) })),
  };
}

/**
 * Table `chains`: times in ms; `exchanges` and `edges` are those of the longest occurrence. `redact`: removes possible
 * secrets from the evidence of the edges.
 */
export function chainsTable(rows: Iterable<Walk>, redact = true): Table {
  return {
    columns: ["count", "median", "duration", "exchanges", "edges"],
    rows: each(rows, ({ count, median, longest: { duration, steps, links } }) => ({
      count,
      median,
      duration,
      exchanges: steps.map(({ id }) => id),
      edges: links.map(({ from, to, gap, kind, evidence }) => ({
        ...{ from, to, gap, kind },
        evidence: redact ? redactedEvidence(evidence) : { ...evidence },
      })),
    })),
  };
}

/** Table `links`: gaps in ms. `redact`: removes possible secrets from the evidence. */
export function linksTable(rows: Iterable<Link>, redact = true): Table {
  return {
    columns: ["from", "to", "kind", "basis", "gap", "evidence"],
    rows: each(rows, ({ from, to, kind, basis, gap, evidence }) => ({
      ...{ from, to, kind, basis, gap },
      evidence: redact ? redactedEvidence(evidence) : { ...evidence },
    })),
  };
}

/** A link's evidence without secrets in URLs, and without any value of a response. */
function redactedEvidence({ source, name, value }: LinkEvidence): {
  source: string;
  name: string | null;
  value: string;
} {
  if (SECRET_SOURCES.has(source)) return { source, name, value: REDACTED };
  return { source, name, value: redactedUrl(value) };
}

const SECRET_SOURCES: ReadonlySet<string> = new Set(["set-cookie", "header", "body", "location", "trace"]);

/** Table `groups`: times in epoch milliseconds. */
export function groupsTable(rows: Iterable<ParallelGroup>): Table {
  return {
    columns: ["exchanges", "start", "end"],
    rows: each(rows, ({ exchanges, start, end }) => ({ exchanges, start, end })),
  };
}

/** Table `repeats`: times in ms. */
export function repeatsTable(rows: Iterable<Repeat>, redact = true): Table {
  return {
    columns: ["kind", "template", "exchanges", "time", "bytes"],
    rows: each(rows, ({ kind, template, exchanges, time, bytes }) => ({
      kind,
      template: redact ? redactedUrl(template) : template,
      exchanges,
      time,
      bytes,
    })),
  };
}

/** Table `trends`: each metric in its own unit. `p50` is the current p50; only latencies have a p50. */
export function trendsTable(rows: Iterable<Trend>, redact = true): Table {
  const columns = ["method", "origin", "path", "operation", "metric", "direction", "baseline", "current", "change"];
  return {
    columns: [...columns, "changePercent", "sessions", "n", "p50", "note"],
    rows: each(rows, ({ path, percentiles, method, origin, operation, metric, direction, ...row }) => ({
      ...{ method, origin, path: shownPath(path, redact), operation, metric, direction },
      ...{ baseline: row.baseline, current: row.current, change: row.change, changePercent: row.changePercent },
      ...{ sessions: row.sessions, n: row.n, p50: percentiles?.p50.current ?? null, note: row.note },
    })),
  };
}

/** A path in which parameters, such as `;jsessionid=`, are redacted. */
function shownPath(path: string, redact: boolean): string {
  return redact ? redactedUrl(path) : path;
}

function* each<Item, Row>(items: Iterable<Item>, row: (item: Item) => Row): Generator<Row, void, undefined> {
  for (const item of items) yield row(item);
}
