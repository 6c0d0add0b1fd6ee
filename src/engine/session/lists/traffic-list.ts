import type { Range, Sort } from "../../messages/list-messages.ts";
import type { PickedStretch, PickedSums, TrafficColumn, TrafficRecord } from "../../messages/traffic-messages.ts";
import { failedAfterOf } from "../../model/duration.ts";
import { operationIn } from "../../model/endpoint.ts";
import { slowedStretchesOf } from "../../model/slowed.ts";
import { spansOf } from "../../model/span.ts";
import type { ExchangeId, Milliseconds } from "../../model/units.ts";
import { waitOf } from "../../model/wait.ts";
import type { InsightEvaluator } from "../evaluation/insight-evaluator.ts";
import { Matcher } from "../filter/matcher.ts";
import type { Filter } from "../filter/term.ts";
import type { Session } from "../session.ts";
import { JudgedRows } from "./judged-rows.ts";
import { MatchedRows } from "./matched-rows.ts";
import { membership, pickedSumsOf } from "./picked-sums.ts";
import { SortedHead } from "./sorted-head.ts";
import { TrafficOrder } from "./traffic-order.ts";

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
  readonly #own: MatchedRows;
  readonly #judged: JudgedRows;

  /**
   * `wider`: a list of the same session whose filter matches everything that this list's filter matches. Rows that
   * `wider` excludes are not tested again.
   */
  constructor(session: Session, filter: Filter, wider: TrafficList | null = null) {
    this.#session = session;
    this.#matcher = new Matcher(session.table, filter);
    this.#order = new TrafficOrder(session.table);
    this.#first = new SortedHead(this.#order);
    this.#own = new MatchedRows(session, this.#matcher, wider === null ? null : wider.#own, this.#first);
    this.#judged = new JudgedRows(session, this.#matcher.judged);
  }

  /** Does one slice of the scan, or `most` rows of it; returns `false` if there is more. */
  advance(most?: number): boolean {
    return this.#own.advance(most) && this.#judged.advance(most);
  }

  read(sort: Sort<TrafficColumn>, { from, count }: Range, evaluator: InsightEvaluator): Rows<TrafficRecord> {
    const { table } = this.#session;
    const judged = this.#matcher.judged.length > 0 ? this.rows(evaluator) : null;
    const { length } = judged ?? this.#own.rows();
    const begin = Math.min(from, Math.max(0, length - count));
    const window = judged === null ? this.#window(sort, begin, count) : this.#order.window(judged, sort, begin, count);
    return {
      from: begin,
      total: table.size,
      matched: length,
      records: Array.from(window, (row) => trafficRecordOf(this.#session, row, evaluator)),
    };
  }

  #window(sort: Sort<TrafficColumn>, from: number, count: number): Iterable<number> {
    const to = from + count;
    if (this.#order.isOwn(sort)) return this.#order.stretch(this.#own.rows(), sort, from, count);
    const rows = this.#own.rows().view();
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
    return this.#judged.among(this.#own.rows().view(), evaluator);
  }
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
