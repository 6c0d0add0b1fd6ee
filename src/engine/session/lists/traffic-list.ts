import type { Range, Sort } from "../../messages/list-messages.ts";
import type { PickedStretch, TrafficColumn, TrafficRecord } from "../../messages/traffic-messages.ts";
import { operationIn } from "../../model/endpoint.ts";
import { failedAfterOf } from "../../model/exchange.ts";
import { slowedStretchesOf, spansOf, waitOf } from "../../model/phases.ts";
import type { ExchangeId, Milliseconds } from "../../model/units.ts";
import type { InsightEvaluator } from "../evaluation/insight-evaluator.ts";
import { slowAmong } from "../evaluation/slow-cause-search.ts";
import { isJudged, Matcher } from "../filter/matcher.ts";
import type { Filter, Term } from "../filter/term.ts";
import type { Session } from "../session.ts";
import { joinedRows, otherRows, sharedRows } from "../table/row-sets.ts";
import { MatchedRows } from "./matched-rows.ts";
import { PickedRows } from "./picked-rows.ts";
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

  constructor(session: Session, filter: Filter) {
    this.#session = session;
    this.#matcher = new Matcher(session.table, filter);
    this.#order = new TrafficOrder(session.table);
    this.#first = new SortedHead(this.#order);
    this.#own = new MatchedRows(session, this.#matcher, this.#first);
    this.#judged = new JudgedRows(session, this.#matcher.judged);
  }

  /** Does one slice of the scan, or `most` rows of it; returns `false` if there is more. */
  advance(most?: number): boolean {
    return this.#own.advance(most) && this.#judged.advance(most);
  }

  read(sort: Sort<TrafficColumn>, { from, count }: Range, evaluator: InsightEvaluator): Rows<TrafficRecord> {
    const { table } = this.#session;
    const rows = this.rows(evaluator);
    const begin = Math.min(from, Math.max(0, rows.length - count));
    return {
      from: begin,
      total: table.size,
      matched: rows.length,
      records: Array.from(this.#window(rows, sort, begin, count), (row) =>
        trafficRecordOf(this.#session, row, evaluator),
      ),
    };
  }

  #window(rows: Uint32Array, sort: Sort<TrafficColumn>, from: number, count: number): Iterable<number> {
    const to = from + count;
    const isKept = this.#matcher.judged.length === 0 && this.#order.isFirst(sort, to);
    if (!isKept) return this.#order.window(rows, sort, from, count);
    return this.#first.of({ rows, holds: (row) => this.#matcher.matches(row) }, sort, to).slice(from);
  }

  /** Those of `rows`, a copy of the list's, that are in some of its ranges when it is sorted. */
  picked(rows: Uint32Array, sort: Sort<TrafficColumn>, stretches: readonly PickedStretch[]): PickedRows {
    return new PickedRows(this.#session.table, rows, () => this.#order.comparison(sort), stretches);
  }

  /** The index of an exchange in the list; `null` if the exchange is not in the list. */
  positionOf(id: ExchangeId, sort: Sort<TrafficColumn>, evaluator: InsightEvaluator): number | null {
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
    return this.#judged.among(this.#own.rows(), evaluator);
  }
}

function trafficRecordOf(session: Session, row: number, evaluator: InsightEvaluator): TrafficRecord {
  const { table } = session;
  const exchange = table.exchangeAt(row);
  const { id, method, origin, target, outcome, instants, contentType, encodedBodySize, client, tags } = exchange;
  const { mark, comment } = table.annotations.at(row);
  const latency: Milliseconds = table.latencyAt(row);
  const wait = waitOf(exchange);
  return Object.freeze({
    id,
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
    spans: spansOf(instants, wait, exchange.slowed),
    wait,
    slowed: slowedStretchesOf(exchange),
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

/** How many more rows than requested are kept, so that enough remain after some have changed. */
const SPARE_ROWS = 200;

/** If more rows than this changed, all rows are read again. */
const MOST_CHANGED = 5_000;

interface List {
  /** Sorted ascending. */
  readonly rows: Uint32Array;
  holds(row: number): boolean;
}

/**
 * Caches the first rows of a sorted list, since finding them requires reading every row. Unchanged rows keep their
 * relative order, so later calls only insert the changed rows:
 *
 *   found then   3 8 1 7 5 │ others, all behind 5     now   3 2 1 5 │ …   2, 7, 8 changed: these are the first 4 rows
 */
class SortedHead {
  readonly #order: TrafficOrder;
  #sort: Sort<TrafficColumn> | null = null;
  #rows: readonly number[] = [];
  /** Whether the cached rows are all rows of the list. */
  #isWhole = false;
  readonly #changed = new Set<number>();

  constructor(order: TrafficOrder) {
    this.#order = order;
  }

  /**
   * Notes that a row changed, or entered or left the list. After too many changes, the next read starts over. Evictions
   * at the row cap need not be noted.
   */
  change(row: number): void {
    if (this.#sort !== null) this.#changed.add(row);
    if (this.#changed.size > MOST_CHANGED) this.clear();
  }

  clear(): void {
    this.#sort = null;
    this.#changed.clear();
  }

  /**
   * The first `count` rows of the list, or all if there are fewer. Applies the noted changes to the cached rows. Reads
   * the whole list if fewer than `count` cached rows then remain.
   */
  of(list: List, sort: Sort<TrafficColumn>, count: number): readonly number[] {
    const isSame = this.#sort?.column === sort.column && this.#sort.descending === sort.descending;
    if (!isSame || !this.#continue(list, sort, count)) this.#start(list, sort, count);
    this.#changed.clear();
    return this.#rows.slice(0, count);
  }

  #start({ rows }: List, sort: Sort<TrafficColumn>, count: number): void {
    this.#sort = sort;
    this.#rows = [...this.#order.first(rows, sort, count + SPARE_ROWS)];
    this.#isWhole = this.#rows.length === rows.length;
  }

  /** Applies the changes to the cached rows. Returns whether at least `count` of them remain, or the list is whole. */
  #continue(list: List, sort: Sort<TrafficColumn>, count: number): boolean {
    const oldest = list.rows[0] ?? Number.POSITIVE_INFINITY;
    const same = this.#rows.filter((row) => row >= oldest && !this.#changed.has(row));
    const last = same.at(-1);
    const changed = [...this.#changed].filter((row) => row >= oldest && list.holds(row));
    const sorted = [...same, ...changed].sort(this.#order.comparison(sort));
    this.#rows = this.#isWhole ? sorted : sorted.slice(0, last === undefined ? 0 : 1 + sorted.lastIndexOf(last));
    this.#isWhole &&= this.#rows.length <= count + SPARE_ROWS;
    if (!this.#isWhole) this.#rows = this.#rows.slice(0, count + SPARE_ROWS);
    return this.#isWhole || this.#rows.length >= count;
  }
}

const NO_ROWS: Uint32Array = new Uint32Array(0);

/** Returns the rows among `rows` (ascending) that match a term now, in their order. */
type Selects = (rows: Uint32Array, evaluator: InsightEvaluator) => Uint32Array;

/**
 * The rows that match terms which depend on statistics, findings or bodies, such as `slow: OR status:404`. Conditions
 * within them that do not depend on any are scanned once, as for a list of their own; then whole sets of rows are
 * joined, since a test of each row would hold the engine thread for a quarter of a second at a million rows.
 */
export class JudgedRows {
  readonly #session: Session;
  /** The conditions that are scanned. */
  readonly #own: MatchedRows[] = [];
  readonly #selections: readonly Selects[];

  constructor(session: Session, terms: readonly Term[]) {
    this.#session = session;
    this.#selections = terms.map((term) => this.#selectionOf(term));
  }

  /** Does one slice of the scans, or `most` rows of one; returns `false` if there is more. */
  advance(most?: number): boolean {
    return this.#own.every((rows) => rows.advance(most));
  }

  /** The rows among `rows` (ascending) that match all terms now. */
  among(rows: Uint32Array, evaluator: InsightEvaluator): Uint32Array {
    return this.#selections.reduce((left, selects) => selects(left, evaluator), rows);
  }

  #selectionOf(term: Term): Selects {
    if (!isJudged(term)) {
      const own = new MatchedRows(this.#session, new Matcher(this.#session.table, [term]));
      this.#own.push(own);
      return (rows) => sharedRows(rows, own.rows());
    }
    switch (term.kind) {
      case "not": {
        const excluded = this.#selectionOf(term.of);
        return (rows, evaluator) => otherRows(rows, excluded(rows, evaluator));
      }
      case "all": {
        const all = term.of.map((one) => this.#selectionOf(one));
        return (rows, evaluator) => all.reduce((left, selects) => selects(left, evaluator), rows);
      }
      case "any": {
        const any = term.of.map((one) => this.#selectionOf(one));
        return (rows, evaluator) =>
          any.reduce((joined, selects) => joinedRows(joined, selects(rows, evaluator)), NO_ROWS);
      }
      case "flag":
        if (term.flag === "slow") return (rows, evaluator) => slowAmong(this.#session, rows, evaluator);
        return (rows, evaluator) => rows.filter((row) => evaluator.isOversized(row));
      case "finding":
        return (rows, evaluator) => rows.filter((row) => evaluator.isInFinding(row, term.finding));
      case "body":
        return (rows, evaluator) => rows.filter((row) => evaluator.hasInBody(row, term.text));
      default:
        throw new Error(`a ${term.kind} condition is no judged one`);
    }
  }
}
