import type { EndpointStats, SlowRecord } from "../messages/latency-messages.ts";
import { pathOf } from "../model/endpoint.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Chain, ParallelGroup, PayloadRow, Repeat, Trend } from "../model/findings.ts";
import type { Remark } from "../model/remark.ts";
import type { ExchangeId } from "../model/units.ts";
import { type ExchangeJson, exchangeJsonOf } from "./exchange-json.ts";
import { REDACTED, redactedUrl } from "./redaction.ts";
import type { Table } from "./table.ts";

/** decisions.md, `--format csv` and `md` without a table: one row per exchange, in the columns of `--format json`. */
export function exchangeTable(
  exchanges: Iterable<Exchange>,
  remarkOf: (id: ExchangeId) => Remark,
  redact: boolean,
): Table {
  return {
    columns: EXCHANGE_COLUMNS,
    rows: each(exchanges, (exchange) => ({ ...exchangeJsonOf(exchange, remarkOf(exchange.id), redact) })),
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
] as const satisfies readonly (keyof ExchangeJson)[];

/*
 * The finding tables of `npm run export --table NAME` and of the Export dialog: the same values as the views show,
 * unrounded, in the columns that decisions.md promises.
 */

/** `latency`: sizes in bytes, the error rate in percent. */
export function latencyTable(rows: Iterable<EndpointStats>): Table {
  return {
    columns: ["method", "origin", "path", "requests", "p50", "p95", "p99", "avgSize", "errorRate"],
    rows: each(rows, ({ method, origin, path, requests, p50, p95, p99, avgSize, errorRate }) => ({
      method,
      origin,
      path,
      requests,
      p50,
      p95,
      p99,
      avgSize,
      errorRate,
    })),
  };
}

/** `slow`: lengths in ms. */
export function slowTable(rows: Iterable<SlowRecord>): Table {
  return {
    columns: ["id", "method", "origin", "path", "latency", "p95", "reasons", "timesP50", "cause"],
    rows: each(rows, ({ id, method, origin, target, latency, p95, reasons, timesP50, cause }) => ({
      id,
      method,
      origin,
      path: pathOf(target),
      latency,
      p95,
      reasons,
      timesP50,
      cause: cause === null ? null : { phase: cause.phase, excess: cause.excess },
    })),
  };
}

/** `payload`: sizes in bytes. */
export function payloadTable(rows: Iterable<PayloadRow>): Table {
  return {
    columns: ["method", "origin", "path", "avgRequestSize", "avgResponseSize", "compressionRatio", "oversized"],
    rows: each(rows, (row) => ({ ...row })),
  };
}

/** `chains`: lengths in ms. Redacted, an edge tells where its value was found but not the value, which may be a secret. */
export function chainsTable(rows: Iterable<Chain>, redact = true): Table {
  return {
    columns: ["duration", "exchanges", "edges"],
    rows: each(rows, ({ duration, steps, edges }) => ({
      duration,
      exchanges: steps.map(({ id }) => id),
      edges: edges.map(({ evidence, ...edge }) => ({
        ...edge,
        evidence: evidence === null ? null : { ...evidence, ...(redact ? { value: REDACTED } : {}) },
      })),
    })),
  };
}

/** `groups`: epoch milliseconds. */
export function groupsTable(rows: Iterable<ParallelGroup>): Table {
  return {
    columns: ["exchanges", "start", "end"],
    rows: each(rows, ({ exchanges, start, end }) => ({ exchanges, start, end })),
  };
}

/** `repeats`. */
export function repeatsTable(rows: Iterable<Repeat>, redact = true): Table {
  return {
    columns: ["kind", "template", "exchanges"],
    rows: each(rows, ({ kind, template, exchanges }) => ({
      kind,
      template: redact ? redactedUrl(template) : template,
      exchanges,
    })),
  };
}

/** `trends`: each metric in its own unit. */
export function trendsTable(rows: Iterable<Trend>): Table {
  const columns = ["method", "origin", "path", "metric", "direction", "baseline", "current", "change", "changePercent"];
  return { columns: [...columns, "sessions"], rows: each(rows, (row) => ({ ...row })) };
}

function* each<Item, Row>(items: Iterable<Item>, row: (item: Item) => Row): Generator<Row, void, undefined> {
  for (const item of items) yield row(item);
}
