import type { CollectingRecord, EndpointStats, LatencyColumn } from "../../messages/latency-messages.ts";
import type { Range, Sort } from "../../messages/list-messages.ts";
import { type Endpoint, hostOf, partsOf } from "../../model/endpoint.ts";
import { failure, type Result, success } from "../../model/result.ts";
import type { EndpointTally } from "../../stats/endpoint-tally.ts";
import { literal } from "../filter/literal.ts";
import { isNamed, isOperation, isUnder } from "../filter/matcher.ts";
import { appliesToEndpoints, type Condition, type Filter, type Term } from "../filter/term.ts";
import type { Session } from "../session.ts";
import { sortedWindow } from "./sorted-window.ts";
import type { Rows } from "./traffic-list.ts";

/** The rows of the latency table. `matching`: as in `endpointTestOf`. */
export function latencyRows(
  session: Session,
  filter: Filter,
  sort: Sort<LatencyColumn>,
  range: Range,
  matching: EndpointTest | null = null,
): Result<Rows<EndpointStats>> {
  const holds = endpointTestOf(filter, matching);
  if (!holds.ok) return holds;
  const withRow = session.tallies.withRow();
  const tallies = withRow.filter(({ endpoint }) => holds.value(endpoint));
  const listed = sortedWindow(tallies, keyOf(tallies, sort.column), sort.descending, range);
  const records = listed.flatMap((tally) => endpointStatsOf(tally) ?? []);
  return success({ total: withRow.length, matched: tallies.length, records });
}

/** Endpoints with fewer than `MINIMUM_REQUESTS` requests; the endpoint with the most requests comes first. */
export function collectingRows(
  session: Session,
  filter: Filter,
  range: Range,
  matching: EndpointTest | null = null,
): Result<Rows<CollectingRecord>> {
  const holds = endpointTestOf(filter, matching);
  if (!holds.ok) return holds;
  const collecting = session.tallies.counted().filter((tally) => !tally.hasRow);
  const matched = collecting.filter(({ endpoint }) => holds.value(endpoint));
  const listed = sortedWindow(matched, ({ requests }) => requests, true, range);
  const records = listed.map(({ endpoint, requests, errors, payload }) =>
    Object.freeze({ endpoint, ...partsOf(endpoint), requests, errors, avgSize: payload.meanResponse }),
  );
  return success({ total: collecting.length, matched: matched.length, records });
}

/** The endpoint's row; `null` if it has too few requests. */
export function endpointStatsOf(tally: EndpointTally): EndpointStats | null {
  const figures = tally.figures();
  return figures === null ? null : Object.freeze({ ...figures, ...partsOf(tally.endpoint) });
}

/** The sort key of each item: its position when the items are sorted by `shownAs` of their endpoints. */
export function endpointKeyOf(
  items: readonly { readonly endpoint: Endpoint }[],
): (item: unknown, index: number) => number {
  const texts = items.map(({ endpoint }) => shownAs(endpoint));
  const order = texts.map((_, index) => index).sort((a, b) => compareTexts(texts[a] ?? "", texts[b] ?? ""));
  const ranks = new Float64Array(texts.length);
  order.forEach((index, rank) => {
    ranks[index] = rank;
  });
  return (_, index) => ranks[index] as number;
}

function keyOf(
  tallies: readonly EndpointTally[],
  column: LatencyColumn,
): (tally: EndpointTally, index: number) => number {
  if (column === "requests") return (tally) => tally.requests;
  if (column === "totalLatency") return (tally) => tally.totalLatency ?? Number.NaN;
  if (column === "endpoint") return endpointKeyOf(tallies);
  return (tally) => tally.figures()?.[column] ?? Number.NaN;
}

/** The text by which endpoints are sorted. The path comes first, so that all methods of a path are adjacent. */
function shownAs(endpoint: Endpoint): string {
  const { method, origin, path, operation } = partsOf(endpoint);
  return `${path} ${operation ?? ""} ${method} ${origin}`;
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * The filter's test for endpoints. `matching`: tests whether an endpoint has a matching exchange. Without it, a filter
 * with terms about exchanges is refused.
 */
export function endpointTestOf(filter: Filter, matching: EndpointTest | null = null): Result<EndpointTest> {
  if (filter.every(appliesToEndpoints)) {
    const tests = filter.map(testOf);
    return success((endpoint) => tests.every((test) => test(endpoint)));
  }
  if (matching !== null) return success(matching);
  return failure(
    "This list shows endpoints: it can be filtered by method:, host:, path:, under:, endpoint:, op: and plain text.",
  );
}

export type EndpointTest = (endpoint: Endpoint) => boolean;

function testOf(term: Term): EndpointTest {
  switch (term.kind) {
    case "not": {
      const excluded = testOf(term.of);
      return (endpoint) => !excluded(endpoint);
    }
    case "any":
    case "all": {
      const tests = term.of.map(testOf);
      return term.kind === "any"
        ? (endpoint) => tests.some((test) => test(endpoint))
        : (endpoint) => tests.every((test) => test(endpoint));
    }
    case "under":
      return (endpoint) => isUnder(endpoint, term.host, term.path);
    case "text":
      return textTestOf(term.field, term.text);
    default:
      throw new Error(`${term.kind} does not apply to endpoints`);
  }
}

function textTestOf(field: (Condition & { kind: "text" })["field"], text: string): EndpointTest {
  const pattern = literal(text);
  switch (field) {
    case "endpoint":
      return (endpoint) => isNamed(endpoint, text);
    case "op":
      return (endpoint) => isOperation(endpoint, pattern);
    case "host":
      return (endpoint) => pattern.test(hostOf(partsOf(endpoint).origin));
    case "path":
      return (endpoint) => pattern.test(partsOf(endpoint).path);
    case "method":
      return (endpoint) => partsOf(endpoint).method.toLowerCase() === text.toLowerCase();
    default:
      return (endpoint) => pattern.test(endpoint);
  }
}
