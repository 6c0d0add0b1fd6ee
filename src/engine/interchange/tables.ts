import type { Walk } from "../insights/links/walks.ts";
import type { ParallelGroup } from "../insights/parallel-groups.ts";
import type { PayloadRow } from "../insights/payload.ts";
import type { EndpointStats, SlowRecord } from "../messages/latency-messages.ts";
import type { Annotation } from "../model/annotation.ts";
import { operationIn, pathOf } from "../model/endpoint.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Link, LinkEvidence } from "../model/link.ts";
import type { Repeat } from "../model/repeat.ts";
import type { Trend } from "../model/trend.ts";
import type { ExchangeId } from "../model/units.ts";
import { EXCHANGE_FIELDS, exchangeJsonOf } from "./exchange-json.ts";
import { REDACTED } from "./redaction/known-secrets.ts";
import { redactedUrl, shownUrl } from "./redaction.ts";
import type { Cell, Table } from "./table.ts";

/** A table with one row for each exchange. The columns are the fields of `ExchangeJson` (docs/specification.md). */
export function exchangeTable(
  exchanges: Iterable<Exchange>,
  annotationOf: (id: ExchangeId) => Annotation,
  redact: boolean,
): Table {
  return {
    columns: EXCHANGE_FIELDS,
    rows: each(exchanges, (exchange) => ({ ...exchangeJsonOf(exchange, annotationOf(exchange.id), redact) })),
  };
}

/*
 * The finding tables of `npm run export --table NAME` and of the Export dialog: the values of the views, unrounded, in
 * the columns defined in docs/specification.md.
 */

/** Table `latency`: sizes in bytes, the error rate in percent. */
export function latencyTable(rows: Iterable<EndpointStats>, redact = true): Table {
  return {
    columns: ["method", "origin", "path", "operation", "requests", "p50", "p95", "p99", "avgSize", "errorRate"],
    rows: each(rows, (row) => ({ ...row, path: shownUrl(row.path, redact) })),
  };
}

/** Table `slow`: times in ms. */
export function slowTable(rows: Iterable<SlowRecord>, redact = true): Table {
  return {
    columns: ["id", "method", "origin", "path", "operation", "latency", "p95", "reasons", "timesP50", "cause"],
    rows: each(rows, ({ endpoint, target, cause, id, method, origin, latency, p95, reasons, timesP50 }) => ({
      id,
      method,
      origin,
      latency,
      p95,
      reasons,
      timesP50,
      path: shownUrl(pathOf(target), redact),
      operation: operationIn(endpoint),
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
    rows: each(rows, (row) => ({ ...row, path: shownUrl(row.path, redact) })),
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
        from,
        to,
        gap,
        kind,
        evidence: shownEvidence(evidence, redact),
      })),
    })),
  };
}

/** Table `links`: gaps in ms. `redact`: removes possible secrets from the evidence. */
export function linksTable(rows: Iterable<Link>, redact = true): Table {
  return {
    columns: ["from", "to", "kind", "basis", "gap", "evidence"],
    rows: each(rows, ({ evidence, ...link }) => ({ ...link, evidence: shownEvidence(evidence, redact) })),
  };
}

/** A link's evidence. `redact`: without secrets in URLs, and without any value of a response. */
function shownEvidence(evidence: LinkEvidence, redact: boolean): { readonly [name: string]: Cell } {
  if (!redact) return { ...evidence };
  return { ...evidence, value: SECRET_SOURCES.has(evidence.source) ? REDACTED : redactedUrl(evidence.value) };
}

const SECRET_SOURCES: ReadonlySet<string> = new Set(["set-cookie", "header", "body", "location", "trace"]);

/** Table `groups`: times in epoch milliseconds. */
export function groupsTable(rows: Iterable<ParallelGroup>): Table {
  return {
    columns: ["exchanges", "start", "end"],
    rows: each(rows, (group) => ({ ...group })),
  };
}

/** Table `repeats`: times in ms. */
export function repeatsTable(rows: Iterable<Repeat>, redact = true): Table {
  return {
    columns: ["kind", "template", "exchanges", "time", "bytes"],
    rows: each(rows, (repeat) => ({ ...repeat, template: shownUrl(repeat.template, redact) })),
  };
}

/** Table `trends`: each metric in its own unit. `p50` is the current p50; only latencies have a p50. */
export function trendsTable(rows: Iterable<Trend>, redact = true): Table {
  const columns = ["method", "origin", "path", "operation", "metric", "direction", "baseline", "current", "change"];
  return {
    columns: [...columns, "changePercent", "sessions", "n", "p50", "note"],
    rows: each(rows, ({ percentiles, ...trend }) => ({
      ...trend,
      path: shownUrl(trend.path, redact),
      p50: percentiles?.p50.current ?? null,
    })),
  };
}

function* each<Item, Row>(items: Iterable<Item>, row: (item: Item) => Row): Generator<Row, void, undefined> {
  for (const item of items) yield row(item);
}
