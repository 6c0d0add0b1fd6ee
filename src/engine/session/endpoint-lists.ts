import type { CollectingRecord, EndpointStats, LatencyColumn } from "../messages/latency-messages.ts";
import type { Range, Sort } from "../messages/list-messages.ts";
import { type Endpoint, hostOf, partsOf } from "../model/endpoint.ts";
import { type EndpointTally, isCollecting } from "../stats/endpoint-tally.ts";
import type { Filter, FilterProblem } from "./filter.ts";
import { literal } from "./literal.ts";
import { isNamed, isUnder } from "./matcher.ts";
import { selectRows } from "./row-selection.ts";
import type { Session } from "./session.ts";
import type { Rows } from "./traffic-list.ts";

/** The latency table: endpoints that have a row. */
export function latencyRows(
  session: Session,
  filter: Filter,
  sort: Sort<LatencyColumn>,
  range: Range,
): Rows<EndpointStats> | FilterProblem {
  const holds = endpointTestOf(filter);
  if (typeof holds !== "function") return holds;
  const withRow = session.tallies.withRow();
  const tallies = withRow.filter(({ endpoint }) => holds(endpoint));
  const key = keysOf(tallies, sort.column);
  const sign = sort.descending ? -1 : 1;
  const keys = Float64Array.from(tallies, (tally, place) => sign * key(tally, place));
  const records = windowOf(tallies, keys, range).flatMap((tally) => endpointStatsOf(tally) ?? []);
  return { total: withRow.length, matched: tallies.length, records };
}

/** Endpoints with too few requests for a row, most requests first. */
export function collectingRows(session: Session, filter: Filter, range: Range): Rows<CollectingRecord> | FilterProblem {
  const holds = endpointTestOf(filter);
  if (typeof holds !== "function") return holds;
  const { table, tallies } = session;
  const nameOf = (number: number): Endpoint => table.endpoints.textAt(number) as Endpoint;
  const collecting: number[] = [];
  for (let number = 1; number <= tallies.last; number += 1) {
    if (isCollecting(tallies.requestsAt(number))) collecting.push(number);
  }
  const matched = collecting.filter((number) => holds(nameOf(number)));
  const keys = Float64Array.from(matched, (number) => -tallies.requestsAt(number));
  const records = windowOf(matched, keys, range).map((number) => {
    const endpoint = nameOf(number);
    return Object.freeze({ endpoint, ...partsOf(endpoint), requests: tallies.requestsAt(number) });
  });
  return { total: collecting.length, matched: matched.length, records };
}

/** The endpoint's row; `null` below the minimum of requests. */
export function endpointStatsOf(tally: EndpointTally): EndpointStats | null {
  const figures = tally.figures();
  return figures === null ? null : Object.freeze({ ...figures, ...partsOf(tally.endpoint) });
}

/** The items of a window, by the keys that lie beside them, ascending; NaN keys last. */
export function windowOf<Item>(items: readonly Item[], keys: Float64Array, { from, count }: Range): Item[] {
  const places = selectRows(
    keys,
    Uint32Array.from(items, (_, place) => place),
    from,
    from + count,
  );
  return Array.from(places, (place) => items[place] as Item);
}

/** For each endpoint its place in the order of their names. */
export function ranksOf(endpoints: readonly Endpoint[]): Float64Array {
  const texts = endpoints.map(shownAs);
  const order = texts.map((_, place) => place).sort((a, b) => compareTexts(texts[a] ?? "", texts[b] ?? ""));
  const ranks = new Float64Array(texts.length);
  order.forEach((place, rank) => {
    ranks[place] = rank;
  });
  return ranks;
}

function keysOf(
  tallies: readonly EndpointTally[],
  column: LatencyColumn,
): (tally: EndpointTally, place: number) => number {
  if (column === "requests") return (tally) => tally.requests;
  if (column !== "endpoint") return (tally) => tally.figures()?.[column] ?? Number.NaN;
  const ranks = ranksOf(tallies.map(({ endpoint }) => endpoint));
  return (_, place) => ranks[place] as number;
}

/** As a row shows it: path first, so that methods of one path stand together, then the host. */
function shownAs(endpoint: Endpoint): string {
  const { method, origin, path } = partsOf(endpoint);
  return `${path} ${method} ${origin}`;
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Of the filter language what can be said of an endpoint: method, host, endpoint and text. */
export function endpointTestOf(filter: Filter): ((endpoint: Endpoint) => boolean) | FilterProblem {
  const tests: ((endpoint: Endpoint) => boolean)[] = [];
  for (const term of filter) {
    if (term.kind === "under") {
      tests.push((endpoint) => isUnder(endpoint, term.host, term.path));
      continue;
    }
    if (term.kind !== "text" || term.field === "client" || term.field === "type" || term.field === "protocol") {
      return {
        problem: "This list shows endpoints: it can be filtered by method:, host:, under:, endpoint: and plain text.",
      };
    }
    const { field, text } = term;
    const pattern = literal(text);
    tests.push((endpoint) => {
      if (field === "word") return pattern.test(endpoint);
      if (field === "endpoint") return isNamed(endpoint, text);
      const { method, origin } = partsOf(endpoint);
      return field === "host" ? pattern.test(hostOf(origin)) : method.toLowerCase() === text.toLowerCase();
    });
  }
  return (endpoint) => tests.every((test) => test(endpoint));
}
