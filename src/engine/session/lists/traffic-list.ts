import type { Range, Sort } from "../../messages/list-messages.ts";
import type { PickedStretch, PickedSums, TrafficColumn, TrafficRecord } from "../../messages/traffic-messages.ts";
import { failedAfterOf } from "../../model/duration.ts";
import { operationIn } from "../../model/endpoint.ts";
import { slowedStretchesOf } from "../../model/slowed.ts";
import { spansOf } from "../../model/span.ts";
import type { ExchangeId, Milliseconds } from "../../model/units.ts";
import { waitOf } from "../../model/wait.ts";
import type { InsightEvaluator } from "../evaluation/insight-evaluator.ts";
import { slowAmong } from "../evaluation/slow-rows.ts";
import { Matcher } from "../filter/matcher.ts";
import type { Filter } from "../filter/term.ts";
import type { Session } from "../session.ts";
import { CHUNK_ROWS } from "../table/column.ts";
import { membership, pickedSumsOf } from "./picked-sums.ts";
import { RowList } from "./row-list.ts";
import { SortedHead } from "./sorted-head.ts";
import { TrafficOrder } from "./traffic-order.ts";

/** Rows per slice of a first scan by one cached condition; fewer if a row takes longer. A slice takes 10 to 20 ms. */
const ROWS_AT_ONCE = 200_000;

/**
 * How many rows a term tests at a time. A block of successive rows is within one
 * chunk, so the rows' values need not be copied.
 */
const BLOCK = CHUNK_ROWS / 2;

/** traffic-messages.ts: the most characters of a comment in a row. */
const COMMENT_SHOWN = 200;

/** A range of a list's records, and the sizes of the list. */
export interface Rows<Item> {
  /** The index at which the range begins; absent if the range begins where requested. */
  readonly from?: number;
  /** The number of rows before the filter. */
  readonly total: number;
  readonly matched: number;
  readonly records: readonly Item[];
}

/** The exchanges of one session that match one filter. After the first scan, only changed rows are tested again. */
export class TrafficList {
  readonly #session: Session;
  readonly #matcher: Matcher;
  readonly #order: TrafficOrder;
  readonly #first: SortedHead;
  #matched = new RowList();
  /**
   * The buffer for the rows of a block. All scans of this list share it, since new arrays would cause garbage
   * collections.
   */
  readonly #block = new Uint32Array(BLOCK);
  /** How far the session's change log was read; -1 before the first scan. */
  #position = -1;
  /** The rows that the first scan tests; `null`: all rows. */
  #within: Uint32Array | null = null;
  /** The next row to test, and the end: indexes in `#within`, or row numbers. */
  #next = 0;
  #end = 0;

  /**
   * `wider`: a list of the same session whose filter matches everything that this list's filter matches. Rows that
   * `wider` excludes are not tested again.
   */
  constructor(session: Session, filter: Filter, wider: TrafficList | null = null) {
    this.#session = session;
    this.#matcher = new Matcher(session.table, filter);
    this.#order = new TrafficOrder(session.table);
    this.#first = new SortedHead(this.#order);
    if (wider === null || !wider.#matcher.filtersAnything || !wider.advance(0)) return;
    this.#within = wider.#matched.view().slice();
    this.#end = this.#within.length;
    this.#position = wider.#position;
  }

  /** Does one slice of the scan; returns `false` if there is more. */
  advance(most = Math.ceil(ROWS_AT_ONCE / Math.max(1, this.#matcher.effort))): boolean {
    this.#catchUp(most);
    return this.#next === this.#end;
  }

  read(sort: Sort<TrafficColumn>, { from, count }: Range, evaluator: InsightEvaluator): Rows<TrafficRecord> {
    const { table } = this.#session;
    this.#catchUp(Number.POSITIVE_INFINITY);
    const judged = this.#matcher.judged.length > 0 ? this.rows(evaluator) : null;
    const { length } = judged ?? this.#matched;
    const begin = Math.min(from, Math.max(0, length - count));
    const window = judged === null ? this.#window(sort, begin, count) : this.#order.window(judged, sort, begin, count);
    return {
      from: begin,
      total: table.nextRow - table.firstRow,
      matched: length,
      records: Array.from(window, (row) => trafficRecordOf(this.#session, row, evaluator)),
    };
  }

  #window(sort: Sort<TrafficColumn>, from: number, count: number): Iterable<number> {
    const to = from + count;
    if (this.#order.isOwn(sort)) return this.#order.stretch(this.#matched, sort, from, count);
    const rows = this.#matched.view();
    if (!this.#order.isFirst(to)) return this.#order.window(rows, sort, from, count);
    return this.#first.of({ rows, holds: (row) => this.#matcher.matches(row) }, sort, to).slice(from);
  }

  /** The sums over the rows in some ranges of the list. */
  sums(sort: Sort<TrafficColumn>, stretches: readonly PickedStretch[], evaluator: InsightEvaluator): PickedSums {
    return pickedSumsOf(this.#session.table, this.rows(evaluator), this.#order, sort, stretches);
  }

  /** The rows in some ranges of the list, oldest first. */
  picked(sort: Sort<TrafficColumn>, stretches: readonly PickedStretch[], evaluator: InsightEvaluator): Uint32Array {
    const isPicked = membership(this.#session.table, this.#order.comparison(sort), stretches);
    return this.rows(evaluator).filter(isPicked);
  }

  /** The index of an exchange in the list; `null` if the exchange is not in the list. */
  placeOf(id: ExchangeId, sort: Sort<TrafficColumn>, evaluator: InsightEvaluator): number | null {
    const row = this.#session.table.rowOf(id);
    const compare = this.#order.comparison(sort);
    let isListed = false;
    let before = 0;
    for (const other of this.rows(evaluator)) {
      if (other === row) isListed = true;
      else if (row !== null && compare(other, row) < 0) before += 1;
    }
    return isListed ? before : null;
  }

  /** All rows that match now, oldest first. Valid until the session changes. */
  rows(evaluator: InsightEvaluator): Uint32Array {
    this.#catchUp(Number.POSITIVE_INFINITY);
    const rows = this.#matched.view();
    return this.#matcher.judged.reduce((left, { wantsSlow, holds }) => {
      return wantsSlow ? slowAmong(this.#session, left, evaluator) : left.filter((row) => holds(row, evaluator));
    }, rows);
  }

  /**
   * Continues the first scan by `most` rows. Once the scan is complete, tests the rows that changed. If the change log
   * no longer has all changes, the scan starts over.
   */
  #catchUp(most: number): void {
    const { table, changes } = this.#session;
    const changed = this.#position < 0 ? null : changes.since(this.#position);
    if (changed === null) {
      this.#matched = new RowList();
      this.#first.clear();
      this.#within = null;
      this.#next = table.firstRow;
      this.#end = table.nextRow;
      this.#position = changes.length;
    }
    this.#look(most);
    if (changed === null || this.#next < this.#end) return;
    for (const row of changed) {
      if (row < table.firstRow) continue;
      this.#matched.set(row, this.#matcher.matches(row));
      this.#first.change(row);
    }
    this.#matched.forgetBefore(table.firstRow);
    this.#position = changes.length;
  }

  #look(most: number): void {
    const begin = this.#within === null ? Math.max(this.#next, this.#session.table.firstRow) : this.#next;
    const end = this.#matcher.filtersAnything ? Math.min(this.#end, this.#next + most) : this.#end;
    // Without a filter, every row matches.
    if (!this.#matcher.filtersAnything) this.#matched.appendAll(begin, end);
    else
      for (let place = begin; place < end; place = blockEnd(place)) this.#lookAt(place, Math.min(blockEnd(place), end));
    this.#next = end;
  }

  /** Tests the rows from `begin` to before `end`, which are indexes in `#within` or row numbers. */
  #lookAt(begin: number, end: number): void {
    const rows = this.#block.subarray(0, end - begin);
    if (this.#within === null) for (let place = 0; place < rows.length; place += 1) rows[place] = begin + place;
    else rows.set(this.#within.subarray(begin, end));
    this.#matched.appendEach(rows.subarray(0, this.#matcher.retainMatches(rows)));
  }
}

function blockEnd(place: number): number {
  return place - (place % BLOCK) + BLOCK;
}

function trafficRecordOf(session: Session, row: number, evaluator: InsightEvaluator): TrafficRecord {
  const { table } = session;
  const exchange = table.exchangeAt(row);
  const { id, method, origin, target, outcome, instants, contentType, encodedBodySize, client, tags } = exchange;
  const { mark, comment } = table.annotations.at(row);
  const latency: Milliseconds = table.latencyAt(row);
  return Object.freeze({
    id,
    number: table.numberAt(row),
    startTime: instants.startTime,
    method,
    origin,
    target,
    operation: operationIn(exchange.endpoint),
    status: table.statusAt(row),
    errorType: outcome?.kind === "failed" ? outcome.errorType : null,
    contentType,
    requestBodySize: exchange.requestBodySize,
    encodedBodySize,
    latency: Number.isNaN(latency) ? null : latency,
    failedAfter: failedAfterOf(exchange),
    inFlight: outcome === null,
    sessionEnd: outcome === null ? session.endedAt : null,
    slowed: slowedStretchesOf(exchange),
    spans: spansOf(instants, waitOf(exchange), exchange.slowed),
    uncertainty: exchange.uncertainty,
    slow: evaluator.isSlow(row),
    oversized: evaluator.isOversized(row),
    client,
    program: exchange.program,
    protocol: exchange.protocol,
    server: table.texts.textAt(table.server.at(row)),
    tags,
    mark,
    comment: comment.slice(0, COMMENT_SHOWN),
  });
}
