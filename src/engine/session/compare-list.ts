import type { CompareColumn, CompareFigures, CompareRecord } from "../messages/compare-messages.ts";
import type { EndpointStats } from "../messages/latency-messages.ts";
import type { Range, Sort } from "../messages/list-messages.ts";
import { type Endpoint, partsOf } from "../model/endpoint.ts";
import { endpointTestOf, ranksOf, windowOf } from "./endpoint-lists.ts";
import type { SessionFigures } from "./figures.ts";
import type { Filter, FilterProblem } from "./filter.ts";
import type { Rows } from "./traffic-list.ts";

/** Two sessions side by side: every endpoint that has a row in one of them; those in both by how much they changed. */
export function compareRows(
  left: SessionFigures,
  right: SessionFigures,
  filter: Filter,
  { column, descending }: Sort<CompareColumn>,
  range: Range,
): Rows<CompareRecord> | FilterProblem {
  const holds = endpointTestOf(filter);
  if (typeof holds !== "function") return holds;
  const lefts = byEndpoint(left);
  const rights = byEndpoint(right);
  const all = [...new Set([...lefts.keys(), ...rights.keys()])];
  const records = all.filter(holds).map((endpoint) => recordOf(endpoint, lefts.get(endpoint), rights.get(endpoint)));
  const sign = descending ? -1 : 1;
  const ranks = column === "endpoint" ? ranksOf(records.map(({ endpoint }) => endpoint)) : null;
  const keys = Float64Array.from(records, ({ change }, place) =>
    column === "endpoint" ? sign * (ranks?.[place] as number) : sign * (change[column] ?? Number.NaN),
  );
  return { total: all.length, matched: records.length, records: windowOf(records, keys, range) };
}

const FIGURES = ["requests", "p50", "p95", "p99", "avgSize", "errorRate"] as const;

function recordOf(
  endpoint: Endpoint,
  before: EndpointStats | undefined,
  after: EndpointStats | undefined,
): CompareRecord {
  const left = before === undefined ? null : figuresOf(before);
  const right = after === undefined ? null : figuresOf(after);
  const change = Object.fromEntries(
    FIGURES.map((figure) => {
      const [from, to] = [left?.[figure] ?? null, right?.[figure] ?? null];
      return [figure, from === null || to === null ? null : to - from];
    }),
  ) as CompareRecord["change"];
  const protocols = { left: before?.protocols ?? [], right: after?.protocols ?? [] };
  return Object.freeze({ endpoint, ...partsOf(endpoint), left, right, change, protocols });
}

function figuresOf({ requests, p50, p95, p99, avgSize, errorRate }: EndpointStats): CompareFigures {
  return Object.freeze({ requests, p50, p95, p99, avgSize, errorRate });
}

function byEndpoint({ endpoints }: SessionFigures): ReadonlyMap<Endpoint, EndpointStats> {
  return new Map(endpoints.map((stats) => [stats.endpoint, stats]));
}
