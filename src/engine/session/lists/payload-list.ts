import { addTo } from "../../insights/grouped.ts";
import { type PayloadRow, payloadRowOf } from "../../insights/payload.ts";
import type { Range, Sort } from "../../messages/list-messages.ts";
import type { PayloadColumn, PayloadRecord } from "../../messages/payload-messages.ts";
import { partsOf } from "../../model/endpoint.ts";
import { type Result, success } from "../../model/result.ts";
import type { ExchangeId } from "../../model/units.ts";
import type { EndpointTally } from "../../stats/endpoint-tally.ts";
import type { InsightEvaluator } from "../evaluation/insight-evaluator.ts";
import type { Filter } from "../filter/term.ts";
import type { Session } from "../session.ts";
import { type EndpointTest, endpointKeyOf, endpointTestOf } from "./endpoint-lists.ts";
import { sortedWindow } from "./sorted-window.ts";
import type { Rows } from "./traffic-list.ts";

/**
 * The requested range of the payload table, which lists all endpoints with a counted request. `oversized`: the number
 * of oversized responses, by the endpoint's number.
 */
export function payloadRows(
  session: Session,
  filter: Filter,
  sort: Sort<PayloadColumn>,
  range: Range,
  oversized: Uint32Array,
  matching: EndpointTest | null = null,
): Result<Rows<PayloadRecord>> {
  const holds = endpointTestOf(filter, matching);
  if (!holds.ok) return holds;
  const counted = session.tallies.counted();
  const tallies = counted.filter(({ endpoint }) => holds.value(endpoint));
  const countOf = ({ endpoint }: EndpointTally) => oversized[session.table.endpoints.find(endpoint)] ?? 0;
  const listed = sortedWindow(tallies, keyOf(tallies, sort.column, countOf), sort.descending, range);
  const records = listed.map((tally) => payloadRecordOf(tally, countOf(tally)));
  return success({ total: counted.length, matched: tallies.length, records });
}

/** Every row of the payload table, with the endpoint's oversized responses, for an export. */
export function payloadFindings(
  session: Session,
  filter: Filter,
  evaluator: InsightEvaluator,
  matching: EndpointTest | null = null,
): Result<readonly PayloadRow[]> {
  const holds = endpointTestOf(filter, matching);
  if (!holds.ok) return holds;
  const { table } = session;
  const oversized = new Map<number, ExchangeId[]>();
  for (let row = table.firstRow; row < table.nextRow; row += 1) {
    if (evaluator.isOversized(row)) addTo(oversized, table.endpoint.at(row), table.ids.at(row) as ExchangeId);
  }
  const rows = session.tallies.counted().flatMap(({ endpoint, payload }) => {
    if (!holds.value(endpoint)) return [];
    const ids = oversized.get(table.endpoints.find(endpoint)) ?? [];
    return [payloadRowOf(endpoint, payload, ids)];
  });
  return success(rows);
}

/** An endpoint's row of the payload table. */
export function payloadRecordOf(tally: EndpointTally, oversized: number): PayloadRecord {
  const { endpoint, requests, payload, contentEncoding } = tally;
  return Object.freeze({
    endpoint,
    ...partsOf(endpoint),
    requests,
    avgRequestSize: payload.meanRequest,
    avgResponseSize: payload.meanResponse,
    compressionRatio: payload.compressionRatio,
    contentEncoding,
    largest: payload.largest,
    oversized,
    isCollecting: !tally.hasRow,
  });
}

function keyOf(
  tallies: readonly EndpointTally[],
  column: PayloadColumn,
  countOf: (tally: EndpointTally) => number,
): (tally: EndpointTally, index: number) => number {
  switch (column) {
    case "endpoint":
      return endpointKeyOf(tallies);
    case "requests":
      return ({ requests }) => requests;
    case "avgRequestSize":
      return ({ payload }) => payload.meanRequest;
    case "avgResponseSize":
      return ({ payload }) => payload.meanResponse ?? Number.NaN;
    case "compressionRatio":
      return ({ payload }) => payload.compressionRatio ?? Number.NaN;
    case "largest":
      return ({ payload }) => payload.largest ?? Number.NaN;
    case "oversized":
      return countOf;
  }
}
