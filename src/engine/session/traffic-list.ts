import type { Range, Sort, TrafficColumn, TrafficRecord } from "../messages/messages.ts";
import { statusOf } from "../model/exchange.ts";
import { spansOf } from "../model/span.ts";
import type { Milliseconds } from "../model/units.ts";
import type { Filter } from "./filter.ts";
import type { Judge } from "./judge.ts";
import { Matcher } from "./matcher.ts";
import { RowList } from "./row-list.ts";
import type { Session } from "./session.ts";
import { TrafficOrder } from "./traffic-order.ts";

/** A window of records, and what it is a window of. */
export interface Rows<Item> {
  /** Rows in all, before the filter. */
  readonly total: number;
  readonly matched: number;
  readonly records: readonly Item[];
}

/** The exchanges of one session that match one filter; looks again only at those that changed since it last did. */
export class TrafficList {
  readonly #session: Session;
  readonly #matcher: Matcher;
  readonly #order: TrafficOrder;
  #matched = new RowList();
  /** How far the session's changes have been read. */
  #position = -1;

  constructor(session: Session, filter: Filter) {
    this.#session = session;
    this.#matcher = new Matcher(session.table, filter);
    this.#order = new TrafficOrder(session.table);
  }

  read(sort: Sort<TrafficColumn>, { from, count }: Range, judge: Judge): Rows<TrafficRecord> {
    const { table } = this.#session;
    const rows = this.rows(judge);
    const window = this.#order.window(rows, sort, from, count);
    return {
      total: table.nextRow - table.firstRow,
      matched: rows.length,
      records: Array.from(window, (row) => trafficRecordOf(this.#session, row, judge)),
    };
  }

  /** All rows that match now, oldest first. Good until the session changes. */
  rows(judge: Judge): Uint32Array {
    this.#catchUp();
    const rows = this.#matched.view();
    return this.#matcher.isJudged ? rows.filter((row) => this.#matcher.holdsNow(row, judge)) : rows;
  }

  #catchUp(): void {
    const { table, changes } = this.#session;
    const changed = this.#position < 0 ? null : changes.since(this.#position);
    if (changed === null) {
      this.#matched = new RowList();
      for (let row = table.firstRow; row < table.nextRow; row += 1) {
        if (this.#matcher.matches(row)) this.#matched.append(row);
      }
    } else {
      for (const row of changed) if (row >= table.firstRow) this.#matched.set(row, this.#matcher.matches(row));
      this.#matched.forgetBefore(table.firstRow);
    }
    this.#position = changes.end;
  }
}

function trafficRecordOf(session: Session, row: number, judge: Judge): TrafficRecord {
  const { table } = session;
  const { id, method, origin, target, outcome, instants, contentType, encodedBodySize, client, tags } =
    table.exchangeAt(row);
  const latency: Milliseconds = table.latencyAt(row);
  return Object.freeze({
    id,
    startTime: instants.startTime,
    method,
    origin,
    target,
    status: statusOf(outcome),
    errorType: outcome?.kind === "failed" ? outcome.errorType : null,
    contentType,
    encodedBodySize,
    latency: Number.isNaN(latency) ? null : latency,
    inFlight: outcome === null,
    spans: spansOf(instants),
    slow: judge.isSlow(row),
    oversized: judge.isOversized(row),
    client,
    tags,
  });
}
