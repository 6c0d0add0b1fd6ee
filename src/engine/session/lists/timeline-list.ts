import type { Range } from "../../messages/list-messages.ts";
import type { TimelineRecord, TimeRange } from "../../messages/timeline-messages.ts";
import { operationIn } from "../../model/endpoint.ts";
import { slowedStretchesOf, spansOf, waitOf } from "../../model/phases.ts";
import type { InsightEvaluator } from "../evaluation/insight-evaluator.ts";
import type { Insights } from "../evaluation/insights.ts";
import type { Session } from "../session.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";
import { searchRange } from "../table/rows-by-start.ts";
import { LONGEST_TARGET } from "./chain-lists.ts";
import { windowByStart } from "./sorted-window.ts";
import type { Rows } from "./traffic-list.ts";

/** The requested range of the exchanges at `rows` (ascending) that ran at some time in `between`, sorted by start. */
export function timelineRows(
  session: Session,
  rows: Uint32Array,
  between: TimeRange | null,
  { from, count }: Range,
  evaluator: InsightEvaluator,
  insights: Insights,
): Rows<TimelineRecord> {
  const { table } = session;
  const held = between === null ? rows : rowsWithin(table, rows, between);
  const window = windowByStart(table, held, from, from + count);
  return {
    total: table.size,
    matched: held.length,
    records: Array.from(window, (row) => timelineRecordOf(session, row, evaluator, insights)),
  };
}

/** The rows that ran in the range. A row in flight has the end NaN and counts as still running. */
function rowsWithin(table: ExchangeTable, rows: Uint32Array, { from, to }: TimeRange): Uint32Array {
  const end = searchRange(table, rows, (start) => start <= to);
  const isBegun = (row: number, index: number): boolean => index < end.from || table.instants.startAt(row) <= to;
  return rows.subarray(0, end.to).filter((row, index) => !(table.endTime.at(row) < from) && isBegun(row, index));
}

function timelineRecordOf(
  session: Session,
  row: number,
  evaluator: InsightEvaluator,
  insights: Insights,
): TimelineRecord {
  const { table } = session;
  const exchange = table.exchangeAt(row);
  const { id, method, origin, target, outcome, instants, endTime, reused, client } = exchange;
  const latency = table.latencyAt(row);
  const position = insights.chains().positionOf(id);
  const link = position?.link ?? null;
  const wait = waitOf(exchange);
  return Object.freeze({
    id,
    startTime: instants.startTime,
    endTime,
    sessionEnd: endTime === null ? session.endedAt : null,
    method,
    origin,
    target: target.slice(0, LONGEST_TARGET),
    operation: operationIn(exchange.endpoint),
    status: table.statusAt(row),
    errorType: outcome?.kind === "failed" ? outcome.errorType : null,
    latency: Number.isNaN(latency) ? null : latency,
    spans: spansOf(instants, wait, exchange.slowed),
    wait,
    slowed: slowedStretchesOf(exchange),
    reused,
    connection: exchange.connection,
    stream: exchange.stream,
    clientConnection: exchange.clientConnection,
    clientStream: exchange.clientStream,
    slow: evaluator.isSlow(row),
    client,
    group: insights.groups().groupOf(id),
    chain: position?.walk ?? null,
    follows: link === null ? null : { from: link.from, kind: link.kind, gap: link.gap },
  });
}
