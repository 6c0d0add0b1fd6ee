import type { Range, Sort } from "../messages/list-messages.ts";
import type { PickedStretch, PickedSums, TrafficColumn, TrafficRecord } from "../messages/traffic-messages.ts";
import { failedAfterOf } from "../model/duration.ts";
import { spansOf } from "../model/span.ts";
import type { ExchangeId, Milliseconds } from "../model/units.ts";
import { CHUNK_ROWS } from "./column.ts";
import type { Filter } from "./filter.ts";
import { FirstRows } from "./first-rows.ts";
import type { Judge } from "./judge.ts";
import { Matcher } from "./matcher.ts";
import { membership, pickedSumsOf } from "./picked-sums.ts";
import { RowList } from "./row-list.ts";
import type { Session } from "./session.ts";
import { slowAmong } from "./slow-rows.ts";
import { TrafficOrder } from "./traffic-order.ts";

/** Our choice: rows of a first look that are looked at in one go, 10 to 20 ms. */
const ROWS_AT_ONCE = 200_000;

/** Our choice: rows that each term of a filter looks at in one go. Of one chunk, so that they need not be copied. */
const BLOCK = CHUNK_ROWS / 2;

/** messages.ts: characters of a comment in a row. */
const COMMENT_SHOWN = 200;

/** A window of records, and what it is a window of. */
export interface Rows<Item> {
  /** Where the window begins; left out where that is as it was asked for. */
  readonly from?: number;
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
  readonly #first: FirstRows;
  #matched = new RowList();
  /** Where each part of a look is done: arrays made for each would be megabytes a look, and V8 collects all for that. */
  readonly #block = new Uint32Array(BLOCK);
  /** How far the session's changes have been read; -1 before the first look. */
  #position = -1;
  /** The first look goes through these rows; `null`: through all. */
  #within: Uint32Array | null = null;
  /** The next of them, and where they end: places in `#within`, or rows. */
  #next = 0;
  #end = 0;

  /** `wider`: a list of the same session, for a filter that is not narrower; what it has sorted out is not looked at again. */
  constructor(session: Session, filter: Filter, wider: TrafficList | null = null) {
    this.#session = session;
    this.#matcher = new Matcher(session.table, filter);
    this.#order = new TrafficOrder(session.table);
    this.#first = new FirstRows(this.#order);
    if (wider === null || !wider.#matcher.isChoosy || !wider.advance(0)) return;
    this.#within = wider.#matched.view().slice();
    this.#end = this.#within.length;
    this.#position = wider.#position;
  }

  /** Looks at a part of what has to be looked at before there is an answer; `false` while there is more. */
  advance(most = ROWS_AT_ONCE): boolean {
    this.#catchUp(most);
    return this.#next === this.#end;
  }

  read(sort: Sort<TrafficColumn>, { from, count }: Range, judge: Judge): Rows<TrafficRecord> {
    const { table } = this.#session;
    this.#catchUp(Number.POSITIVE_INFINITY);
    // What a judge says of a row may change although the row does not.
    const judged = this.#matcher.judged.length > 0 ? this.rows(judge) : null;
    const { length } = judged ?? this.#matched;
    const begin = Math.min(from, Math.max(0, length - count));
    const window = judged === null ? this.#window(sort, begin, count) : this.#order.window(judged, sort, begin, count);
    return {
      from: begin,
      total: table.nextRow - table.firstRow,
      matched: length,
      records: Array.from(window, (row) => trafficRecordOf(this.#session, row, judge)),
    };
  }

  #window(sort: Sort<TrafficColumn>, from: number, count: number): Iterable<number> {
    const to = from + count;
    if (this.#order.isOwn(sort)) return this.#order.stretch(this.#matched, sort, from, count);
    const rows = this.#matched.view();
    if (!this.#order.isFirst(to)) return this.#order.window(rows, sort, from, count);
    return this.#first.of({ rows, holds: (row) => this.#matcher.matches(row) }, sort, to).slice(from);
  }

  /** What the rows of some stretches of the list come to. */
  sums(sort: Sort<TrafficColumn>, stretches: readonly PickedStretch[], judge: Judge): PickedSums {
    return pickedSumsOf(this.#session.table, this.rows(judge), this.#order, sort, stretches);
  }

  /** The rows that lie in some stretches of the list, oldest first. */
  picked(sort: Sort<TrafficColumn>, stretches: readonly PickedStretch[], judge: Judge): Uint32Array {
    const isPicked = membership(this.#session.table, this.#order.comparison(sort), stretches);
    return this.rows(judge).filter(isPicked);
  }

  /** At which index of the list an exchange stands; `null` if it is not in it. */
  placeOf(id: ExchangeId, sort: Sort<TrafficColumn>, judge: Judge): number | null {
    const row = this.#session.table.rowOf(id);
    const compare = this.#order.comparison(sort);
    let isListed = false;
    let before = 0;
    for (const other of this.rows(judge)) {
      if (other === row) isListed = true;
      else if (row !== null && compare(other, row) < 0) before += 1;
    }
    return isListed ? before : null;
  }

  /** All rows that match now, oldest first. Good until the session changes. */
  rows(judge: Judge): Uint32Array {
    this.#catchUp(Number.POSITIVE_INFINITY);
    const rows = this.#matched.view();
    return this.#matcher.judged.reduce((left, flag) => {
      return flag === "slow" ? slowAmong(this.#session, left, judge) : left.filter((row) => judge.isOversized(row));
    }, rows);
  }

  /** What changes during a first look is in the session's log, and is looked at behind it. */
  #catchUp(most: number): void {
    const { table, changes } = this.#session;
    const changed = this.#position < 0 ? null : changes.since(this.#position);
    if (changed === null) {
      this.#matched = new RowList();
      this.#first.forget();
      this.#within = null;
      this.#next = table.firstRow;
      this.#end = table.nextRow;
      this.#position = changes.end;
    }
    this.#look(most);
    if (changed === null || this.#next < this.#end) return;
    for (const row of changed) {
      if (row < table.firstRow) continue;
      this.#matched.set(row, this.#matcher.matches(row));
      this.#first.change(row);
    }
    this.#matched.forgetBefore(table.firstRow);
    this.#position = changes.end;
  }

  #look(most: number): void {
    const begin = this.#within === null ? Math.max(this.#next, this.#session.table.firstRow) : this.#next;
    const end = this.#matcher.isChoosy ? Math.min(this.#end, this.#next + most) : this.#end;
    // Without a filter there is nothing to look at.
    if (!this.#matcher.isChoosy) this.#matched.appendAll(begin, end);
    else
      for (let place = begin; place < end; place = blockEnd(place)) this.#lookAt(place, Math.min(blockEnd(place), end));
    this.#next = end;
  }

  /** From one place to before another: in `#within`, or rows. */
  #lookAt(begin: number, end: number): void {
    const rows = this.#block.subarray(0, end - begin);
    if (this.#within === null) for (let place = 0; place < rows.length; place += 1) rows[place] = begin + place;
    else rows.set(this.#within.subarray(begin, end));
    this.#matched.appendEach(rows.subarray(0, this.#matcher.keep(rows)));
  }
}

function blockEnd(place: number): number {
  return place - (place % BLOCK) + BLOCK;
}

function trafficRecordOf(session: Session, row: number, judge: Judge): TrafficRecord {
  const { table } = session;
  const exchange = table.exchangeAt(row);
  const { id, method, origin, target, outcome, instants, contentType, encodedBodySize, client, tags } = exchange;
  const { mark, comment } = table.remarks.at(row);
  const latency: Milliseconds = table.latencyAt(row);
  return Object.freeze({
    id,
    startTime: instants.startTime,
    method,
    origin,
    target,
    status: table.statusAt(row),
    errorType: outcome?.kind === "failed" ? outcome.errorType : null,
    contentType,
    requestBodySize: exchange.requestBodySize,
    encodedBodySize,
    latency: Number.isNaN(latency) ? null : latency,
    failedAfter: failedAfterOf(exchange),
    inFlight: outcome === null,
    sessionEnd: outcome === null ? session.endedAt : null,
    spans: spansOf(instants),
    slow: judge.isSlow(row),
    oversized: judge.isOversized(row),
    client,
    program: exchange.program,
    protocol: exchange.protocol,
    server: table.texts.textAt(table.server.at(row)),
    tags,
    mark,
    comment: comment.slice(0, COMMENT_SHOWN),
  });
}
