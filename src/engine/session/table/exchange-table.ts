import type { PageDescribed } from "../../capture/event.ts";
import { type Endpoint, isAbbreviated } from "../../model/endpoint.ts";
import {
  type Exchange,
  NOT_MODIFIED,
  SWITCHING_PROTOCOLS,
  UNCOUNTED_TAGS,
  UNTIMED_TAGS,
} from "../../model/exchange.ts";
import { type Phase, phasesOf, type Wait, waitOf } from "../../model/phases.ts";
import type { ExchangeId, Instant, Milliseconds } from "../../model/units.ts";
import { lowerBound } from "../../stats/lower-bound.ts";
import { CHUNK_ROWS, RESPONDED, tagBits, WholeColumn } from "./column.ts";
import { ExchangeColumns } from "./exchange-columns.ts";
import { HeaderColumns } from "./header-columns.ts";
import { type EndpointNames, MOST_ENDPOINTS } from "./interned.ts";
import { LongTargets } from "./long-targets.ts";

const UNTIMED = tagBits(UNTIMED_TAGS);
/** A row that the user deleted; a bit beyond those of TAGS. */
const HIDDEN = 1 << 30;
const UNCOUNTED = tagBits(UNCOUNTED_TAGS) | HIDDEN;
const APPLICATION_ERROR = tagBits(["application-error"]);

/**
 * Reads exchanges by row. Also computes what `timedLatencyOf`, `isError` and other functions of the model return,
 * without creating an exchange.
 */
class ExchangeRows extends ExchangeColumns {
  /** As `timedLatencyOf`, with NaN for `null`. */
  latencyAt(row: number): Milliseconds {
    if (this.outcome.at(row) !== RESPONDED || this.isLastingAt(row)) return Number.NaN;
    return this.kept.waitedFor.valueAt(row) === "browser"
      ? this.instants.queuedLatencyAt(row)
      : this.instants.latencyAt(row);
  }

  /** As `failedAfterOf`, with NaN for `null`. */
  failedAfterAt(row: number): Milliseconds {
    if (this.outcome.at(row) <= RESPONDED || !this.instants.isHeadKnownAt(row)) return Number.NaN;
    if (this.isLastingAt(row) && this.instants.isAnsweredAt(row)) return Number.NaN;
    return this.endTime.at(row) - this.instants.startAt(row);
  }

  /** The response's last byte, else the end of the exchange; NaN while in flight. */
  intervalEndAt(row: number): number {
    const lastByte = this.instants.responseEndAt(row);
    return Number.isNaN(lastByte) ? this.endTime.at(row) : lastByte;
  }

  /** The latency, or the time until the exchange failed; NaN if there is neither. */
  durationAt(row: number): Milliseconds {
    return this.outcome.at(row) === RESPONDED ? this.latencyAt(row) : this.failedAfterAt(row);
  }

  /** As `InstantsColumn.phaseAt`, without the time in which conditions slowed the exchange. */
  phaseAt(row: number, phase: Exclude<Phase, "weir">): Milliseconds {
    const slowed = this.slowed.at(row);
    if (slowed === null) return this.instants.phaseAt(row, phase);
    return phasesOf(this.instants.at(row), null, slowed)[phase] ?? Number.NaN;
  }

  /** As `waitOf`. */
  waitAt(row: number): Wait | null {
    const waitedFor = this.kept.waitedFor.valueAt(row);
    if (waitedFor === null) return null;
    const endTime = this.endTime.at(row);
    return waitOf({
      instants: this.instants.at(row),
      endTime: Number.isNaN(endTime) ? null : (endTime as Instant),
      waitedFor,
    });
  }

  /** Whether the user deleted the exchange. Its row is in no list and no figure. */
  isHiddenAt(row: number): boolean {
    return (this.tags.at(row) & HIDDEN) !== 0;
  }

  protected setHidden(row: number, isHidden: boolean): void {
    this.tags.put(row, isHidden ? this.tags.at(row) | HIDDEN : this.tags.at(row) & ~HIDDEN);
  }

  hasEndedAt(row: number): boolean {
    return this.outcome.at(row) !== 0;
  }

  /** Whether the exchange has ended and is part of the statistics. A hidden one is not. */
  countsAt(row: number): boolean {
    return this.hasEndedAt(row) && !this.isUncountedAt(row);
  }

  isUncountedAt(row: number): boolean {
    return (this.tags.at(row) & UNCOUNTED) !== 0;
  }

  /** As `isLasting`. While the exchange is in flight, judged by what is known so far. */
  isLastingAt(row: number): boolean {
    return (this.tags.at(row) & UNTIMED) !== 0 || this.status.at(row) === SWITCHING_PROTOCOLS;
  }

  /** Whether the exchange has ended and is an error. An exchange in flight is no error, whatever its status. */
  isErrorAt(row: number): boolean {
    const outcome = this.outcome.at(row);
    if (outcome !== RESPONDED) return outcome > RESPONDED;
    return this.status.at(row) >= 400 || (this.tags.at(row) & APPLICATION_ERROR) !== 0;
  }

  /** The number of errors among `rows` (ascending). Far quicker than testing each row. */
  errorsAmong(rows: Uint32Array): number {
    const [outcomes, statuses] = [this.outcome.read(rows, rows.length), this.status.read(rows, rows.length)];
    const tags = this.tags.read(rows, rows.length);
    let errors = 0;
    for (let index = 0; index < rows.length; index += 1) {
      const outcome = outcomes[index] as number;
      const isBad = (statuses[index] as number) >= 400 || ((tags[index] as number) & APPLICATION_ERROR) !== 0;
      if (outcome > RESPONDED || (outcome === RESPONDED && isBad)) errors += 1;
    }
    return errors;
  }

  /** The status sent to the client, even while the exchange is in flight; `null` if there is none. */
  statusAt(row: number): number | null {
    return this.status.at(row) || null;
  }

  respondedAt(row: number): boolean {
    return this.outcome.at(row) === RESPONDED;
  }

  /** As `isSizeSample`. */
  isSizeSampleAt(row: number): boolean {
    return this.respondedAt(row) && this.status.at(row) !== NOT_MODIFIED;
  }
}

/**
 * The most characters of texts that are stored for single rows, mostly one byte each. An ordinary session has a tenth
 * of this.
 */
const MOST_TEXT = 256 * 1024 * 1024;

/** Called with a row just before it is evicted, while it can still be read. */
type RowWatcher = (row: number) => void;

/**
 * The exchanges of a session in columns. Rows are numbered from 0 by arrival and keep their number. The oldest rows are
 * evicted at the row cap, or when the texts of all rows take too much memory:
 *
 *   0 … evicted … │ firstRow … kept … │ nextRow
 */
export class ExchangeTable extends ExchangeRows {
  readonly headers = new HeaderColumns(this);
  readonly longTargets = new LongTargets(this);
  /** What a HAR file says of its pages, by the name in the column `page`. */
  readonly describedPages = new Map<string, PageDescribed>();
  /** By id, the exchange's row plus 1. */
  readonly #rowOfId = new WholeColumn();
  /** The rows of hidden exchanges. */
  readonly #hidden = new Map<ExchangeId, number>();
  #cap: number;
  readonly #mostText: number;
  #textLength = 0;
  #firstRow = 0;
  #nextRow = 0;
  #idsInOrder = true;
  readonly #disorder = new StartOrderSkew();
  #lastTime = Number.NEGATIVE_INFINITY;
  readonly #watcher: RowWatcher;

  /** `mostText`: the most characters of texts that are stored for single rows. */
  constructor(cap: number, watcher: RowWatcher = () => {}, mostText = MOST_TEXT, mostEndpoints = MOST_ENDPOINTS) {
    super(mostEndpoints);
    this.#cap = cap;
    this.#mostText = mostText;
    this.#watcher = watcher;
  }

  get firstRow(): number {
    return this.#firstRow;
  }

  get nextRow(): number {
    return this.#nextRow;
  }

  get idsInOrder(): boolean {
    return this.#idsInOrder;
  }

  /**
   * The largest distance, in rows, between a row and its position in the order of starts; 0 if the rows are sorted by
   * start.
   */
  get disorder(): number {
    return this.#disorder.most;
  }

  /** The latest start of all exchanges. */
  get lastStart(): number {
    return this.#disorder.latest;
  }

  /** The latest start or end of all exchanges. */
  get lastTime(): number {
    return this.#lastTime;
  }

  /** Adds a row for a new exchange, which belongs to `endpoint`. Evicts the oldest rows beyond the caps. */
  add(exchange: Exchange, endpoint: Endpoint = exchange.endpoint): number {
    const row = this.#nextRow;
    const { startTime } = exchange.instants;
    this.#nextRow += 1;
    if (row > this.#firstRow && exchange.id < this.ids.at(row - 1)) this.#idsInOrder = false;
    this.#disorder.add(row, startTime);
    this.#lastTime = Math.max(this.#lastTime, startTime);
    this.#rowOfId.put(exchange.id, row + 1);
    const before = this.#textLength;
    this.put(row, exchange, endpoint);
    if (isAbbreviated(exchange.target)) this.longTargets.add(row);
    this.#textLength = before + this.textLengthAt(row);
    this.#forgetSurplus();
    return row;
  }

  /** The most rows. */
  get cap(): number {
    return this.#cap;
  }

  /** Sets the row cap. Rows beyond it are evicted at once, oldest first. */
  setCap(cap: number): void {
    this.#cap = cap;
    this.#forgetSurplus();
  }

  override update(row: number, exchange: Exchange): void {
    const before = this.textLengthAt(row);
    super.update(row, exchange);
    this.#textLength += this.textLengthAt(row) - before;
    this.#lastTime = Math.max(this.#lastTime, exchange.endTime ?? this.#lastTime);
  }

  /** Assigns the row to another endpoint. */
  setEndpoint(row: number, endpoint: Endpoint): void {
    const target = this.targetAt(row);
    const before = this.textLengthAt(row);
    const number = this.endpoints.numberOf(endpoint);
    this.endpoint.put(row, number);
    this.putTarget(row, number === 0 ? null : endpoint, target);
    this.#textLength += this.textLengthAt(row) - before;
  }

  /** Replaces the endpoints. `numberOf`: returns the number of the row's endpoint among the new ones. */
  rekey(endpoints: EndpointNames, numberOf: (row: number, old: number) => number): void {
    let length = 0;
    this.replaceEndpoints(endpoints, [this.#firstRow, this.#nextRow], numberOf);
    for (let row = this.#firstRow; row < this.#nextRow; row += 1) length += this.textLengthAt(row);
    this.#textLength = length;
  }

  /** The number of rows, without hidden ones. */
  get size(): number {
    return this.#nextRow - this.#firstRow - this.#hidden.size;
  }

  /** Whether any row is hidden. */
  get hasHidden(): boolean {
    return this.#hidden.size > 0;
  }

  /** The earliest start of all rows but hidden ones; `null` if there are none. */
  earliestStart(): Instant | null {
    let row = this.#firstRow;
    while (row < this.#nextRow && this.isHiddenAt(row)) row += 1;
    const end = Math.min(this.#nextRow, row + this.disorder + 1);
    let earliest: number | null = null;
    for (; row < end; row += 1)
      if (!this.isHiddenAt(row)) earliest = Math.min(earliest ?? Number.POSITIVE_INFINITY, this.instants.startAt(row));
    return earliest as Instant | null;
  }

  /** Hides ended exchanges, which the user deleted, and returns their rows; those that are unknown are skipped. */
  hide(ids: readonly ExchangeId[]): readonly number[] {
    const rows = ids.flatMap((id) => this.rowOf(id) ?? []);
    for (const row of rows) {
      const id = this.ids.at(row) as ExchangeId;
      this.#hidden.set(id, row);
      this.#rowOfId.put(id, 0);
      this.setHidden(row, true);
    }
    this.#lastTime = this.#latestTime();
    return rows;
  }

  /** Whether the exchange is hidden and can be shown again. */
  isHidden(id: ExchangeId): boolean {
    return this.#hidden.has(id);
  }

  /** Shows hidden exchanges again, and returns their rows; those that were evicted meanwhile are skipped. */
  show(ids: readonly ExchangeId[]): readonly number[] {
    const rows = ids.flatMap((id) => this.#hidden.get(id) ?? []);
    for (const row of rows) {
      const id = this.ids.at(row) as ExchangeId;
      this.#hidden.delete(id);
      this.#rowOfId.put(id, row + 1);
      this.setHidden(row, false);
    }
    this.#lastTime = this.#latestTime();
    return rows;
  }

  #latestTime(): number {
    let latest = Number.NEGATIVE_INFINITY;
    for (let row = this.#firstRow; row < this.#nextRow; row += 1) {
      if (this.isHiddenAt(row)) continue;
      const end = this.endTime.at(row);
      latest = Math.max(latest, Number.isNaN(end) ? this.instants.startAt(row) : end);
    }
    return latest;
  }

  /** The row of an exchange; `null` if the exchange is unknown, evicted or hidden. */
  rowOf(id: ExchangeId): number | null {
    const row = this.#rowOfId.at(id) - 1;
    return row >= this.#firstRow && this.ids.at(row) === id ? row : null;
  }

  #forgetSurplus(): void {
    while (this.#nextRow - this.#firstRow > this.#cap) this.#forgetFirst();
    while (this.#textLength > this.#mostText && this.#firstRow < this.#nextRow - 1) this.#forgetFirst();
  }

  #forgetFirst(): void {
    this.#watcher(this.#firstRow);
    if (this.isHiddenAt(this.#firstRow)) this.#hidden.delete(this.ids.at(this.#firstRow) as ExchangeId);
    this.#textLength -= this.textLengthAt(this.#firstRow);
    this.forgetTexts(this.#firstRow);
    this.#firstRow += 1;
    if (this.#firstRow % CHUNK_ROWS !== 0) return;
    this.forgetBefore(this.#firstRow);
    this.headers.forgetBefore(this.#firstRow);
    this.longTargets.forgetBefore(this.#firstRow);
    // Ids are nearly in the order of rows. One more chunk is kept for ids that come late.
    this.#rowOfId.forgetBefore(Math.max(0, this.ids.at(this.#firstRow) - CHUNK_ROWS));
  }
}

/** The rows of a block. For each block, the latest earlier start is kept. */
const BLOCK = 64;

/**
 * The largest distance between a row and its position in the order of starts. Rows are nearly sorted: only a request
 * whose head arrives slowly is added late.
 *
 *   starts  1 2 4 5 3 6      3 came two rows late: no row is further than two from its position
 */
export class StartOrderSkew {
  /** For each block of rows, the latest start of all rows before it. */
  readonly #latestBefore: number[] = [];
  #latest = Number.NEGATIVE_INFINITY;
  #most = 0;

  /** The latest start of all rows; -Infinity if there are none. */
  get latest(): number {
    return this.#latest;
  }

  /** The skew in rows, as an upper bound that is at most one block too large; 0 if the rows are sorted by start. */
  get most(): number {
    return this.#most;
  }

  /** Adds the next row; rows are numbered from 0. */
  add(row: number, start: number): void {
    if (row % BLOCK === 0) this.#latestBefore.push(this.#latest);
    if (start >= this.#latest) this.#latest = start;
    else this.#most = Math.max(this.#most, row - this.#firstAfter(start));
  }

  /** A row before which every start is at most `start`. */
  #firstAfter(start: number): number {
    const blocks = this.#latestBefore;
    const behind = lowerBound(0, blocks.length, (block) => (blocks[block] as number) > start);
    return Math.max(0, behind - 1) * BLOCK;
  }
}
