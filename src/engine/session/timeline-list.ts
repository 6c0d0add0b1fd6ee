import type { Range } from "../messages/list-messages.ts";
import type { TimelineRecord, TimeRange } from "../messages/timeline-messages.ts";
import { spansOf } from "../model/span.ts";
import { waitOf } from "../model/wait.ts";
import type { ExchangeTable } from "./exchange-table.ts";
import { LONGEST_TARGET } from "./finding-records.ts";
import type { Findings } from "./findings.ts";
import type { Judge } from "./judge.ts";
import { placesAround } from "./places-around.ts";
import type { Session } from "./session.ts";
import type { Rows } from "./traffic-list.ts";
import { windowByStart } from "./window-by-start.ts";

/** A window of the exchanges at `rows` (ascending) that ran at some time of `between`, by start. */
export function timelineRows(
  session: Session,
  rows: Uint32Array,
  between: TimeRange | null,
  { from, count }: Range,
  judge: Judge,
  findings: Findings,
): Rows<TimelineRecord> {
  const { table } = session;
  const held = between === null ? rows : rowsWithin(table, rows, between);
  const window = windowByStart(table, held, from, from + count);
  return {
    total: table.nextRow - table.firstRow,
    matched: held.length,
    records: Array.from(window, (row) => timelineRecordOf(session, row, judge, findings)),
  };
}

/** What is in flight has no end yet. */
function rowsWithin(table: ExchangeTable, rows: Uint32Array, { from, to }: TimeRange): Uint32Array {
  const end = placesAround(table, rows, (start) => start <= to);
  const isBegun = (row: number, place: number): boolean => place < end.from || table.instants.startAt(row) <= to;
  return rows.subarray(0, end.to).filter((row, place) => !(table.endTime.at(row) < from) && isBegun(row, place));
}

function timelineRecordOf(session: Session, row: number, judge: Judge, findings: Findings): TimelineRecord {
  const { table } = session;
  const exchange = table.exchangeAt(row);
  const { id, method, origin, target, outcome, instants, endTime, reused, client } = exchange;
  const latency = table.latencyAt(row);
  const place = findings.chains().placeOf(id);
  const edge = place?.edge ?? null;
  return Object.freeze({
    id,
    startTime: instants.startTime,
    endTime,
    sessionEnd: endTime === null ? session.endedAt : null,
    method,
    origin,
    target: target.slice(0, LONGEST_TARGET),
    status: table.statusAt(row),
    errorType: outcome?.kind === "failed" ? outcome.errorType : null,
    latency: Number.isNaN(latency) ? null : latency,
    spans: spansOf(instants),
    wait: waitOf(exchange),
    reused,
    connection: exchange.connection,
    stream: exchange.stream,
    clientConnection: exchange.clientConnection,
    clientStream: exchange.clientStream,
    slow: judge.isSlow(row),
    client,
    group: findings.overlaps().groupOf(id),
    chain: place?.chain ?? null,
    follows: edge === null ? null : { from: edge.from, kind: edge.kind, gap: edge.gap },
  });
}
