import type { Endpoint } from "../model/endpoint.ts";
import { type Exchange, TAGS, type Tag, UNCOUNTED_TAGS, UNTIMED_TAGS } from "../model/exchange.ts";
import type { Instants, Phase } from "../model/phases.ts";
import { MARKS, NO_REMARK, type Remark } from "../model/remark.ts";
import type { ExchangeId, Instant } from "../model/units.ts";
import { WAITED_FOR } from "../model/wait.ts";
import { CHUNK_ROWS, RealColumn, TextColumn, WholeColumn } from "./column.ts";
import { Disorder } from "./disorder.ts";
import { outcomeCodeOf, outcomeOf, RESPONDED, tagBits, tagsOf } from "./exchange-codes.ts";
import { Interned } from "./interned.ts";
import type { Regrouping } from "./regrouping.ts";
import { RepeatingTextColumn } from "./repeating-text-column.ts";

/** Cells of one row in the column of instants, in the order of Instants. */
const INSTANTS = 12;
const RESPONSE_END = 11;

const UNTIMED = tagBits(UNTIMED_TAGS);
const UNCOUNTED = tagBits(UNCOUNTED_TAGS);

/**
 * The exchanges of a session in columns, about 200 bytes each; texts that repeat are kept once. Rows are numbered from 0
 * in the order of arrival and keep their number; the oldest leave at the row cap:
 *
 *   0 … forgotten … │ firstRow … kept … │ nextRow
 */
export class ExchangeTable {
  #endpoints = new Interned<Endpoint>();
  readonly texts = new Interned();
  readonly ids = new WholeColumn();
  #endpoint = new WholeColumn();
  readonly method = new WholeColumn();
  readonly origin = new WholeColumn();
  readonly client = new WholeColumn();
  readonly contentType = new WholeColumn();
  readonly outcome = new WholeColumn();
  /** 0 = none. */
  readonly status = new WholeColumn();
  /** One bit for each of TAGS. */
  readonly tags = new WholeColumn();
  readonly encodedBodySize = new RealColumn(0);
  readonly protocol = new WholeColumn();
  /** The address of the server connection. */
  readonly server = new WholeColumn();
  readonly requestBodySize = new RealColumn(0);
  /** 0 = none, else one more than the place in MARKS. */
  readonly mark = new WholeColumn();
  readonly #comment = new TextColumn();
  readonly #contentEncoding = new WholeColumn();
  /** 0 = null, else one more than the number; of the server's connection and of the client's. */
  readonly connection = new WholeColumn();
  readonly clientConnection = new WholeColumn();
  /** 0 = null, which no request's stream is (RFC 9113, 5.1.1). Only others are written: without HTTP/2 these take no memory. */
  readonly #stream = new WholeColumn();
  readonly #clientStream = new WholeColumn();
  /** 0 = null, 1 = no, 2 = yes; and four times the place in WAITED_FOR, from 1 on. */
  readonly #reused = new WholeColumn();
  readonly #decodedBodySize = new RealColumn(Number.NaN);
  readonly #endTime = new RealColumn(Number.NaN);
  readonly #instants = new RealColumn(Number.NaN);
  /** Only targets that are not simply their endpoint's path. */
  #target = new RepeatingTextColumn();
  readonly #detail = new TextColumn();
  readonly #columns: readonly (WholeColumn | RealColumn | TextColumn)[] = [
    this.ids,
    this.method,
    this.origin,
    this.client,
    this.contentType,
    this.outcome,
    this.status,
    this.tags,
    this.encodedBodySize,
    this.protocol,
    this.server,
    this.requestBodySize,
    this.mark,
    this.#comment,
    this.#contentEncoding,
    this.#reused,
    this.connection,
    this.clientConnection,
    this.#stream,
    this.#clientStream,
    this.#decodedBodySize,
    this.#endTime,
    this.#detail,
  ];
  /** One more than the row, by id. */
  readonly #rowOfId = new WholeColumn();
  readonly #cap: number;
  readonly #tagLists = new Map<number, readonly Tag[]>();
  #firstRow = 0;
  #nextRow = 0;
  #idsInOrder = true;
  readonly #disorder = new Disorder();
  #lastTime = Number.NEGATIVE_INFINITY;

  constructor(cap: number) {
    this.#cap = cap;
  }

  /** Another object after `rekey`, with other numbers. */
  get endpoints(): Interned<Endpoint> {
    return this.#endpoints;
  }

  /** The number of the row's endpoint. Another object after `rekey`. */
  get endpoint(): WholeColumn {
    return this.#endpoint;
  }

  /** The targets that are more than their endpoints' paths. Another object after `rekey`. */
  get ownTargets(): RepeatingTextColumn {
    return this.#target;
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

  /** How many places a row lies at most from where its start belongs; 0: rows come by start. */
  get disorder(): number {
    return this.#disorder.most;
  }

  /** The latest start or end of all. */
  get lastTime(): number {
    return this.#lastTime;
  }

  /** A row for an exchange that is new here, counted as one of `endpoint`; the oldest leaves when there are too many. */
  add(exchange: Exchange, endpoint: Endpoint = exchange.endpoint): number {
    const row = this.#nextRow;
    const { startTime } = exchange.instants;
    this.#nextRow += 1;
    if (row > this.#firstRow && exchange.id < this.ids.at(row - 1)) this.#idsInOrder = false;
    this.#disorder.add(row, startTime);
    this.ids.put(row, exchange.id);
    this.#rowOfId.put(exchange.id, row + 1);
    this.method.put(row, this.texts.numberOf(exchange.method));
    this.origin.put(row, this.texts.numberOf(exchange.origin));
    this.client.put(row, this.texts.numberOf(exchange.client));
    this.protocol.put(row, this.texts.numberOf(exchange.protocol));
    this.clientConnection.put(row, codeOf(exchange.clientConnection));
    if (exchange.clientStream !== null) this.#clientStream.put(row, exchange.clientStream);
    this.#putEndpoint(row, exchange, endpoint);
    this.tags.put(row, tagBits(exchange.tags));
    this.#instants.put(row * INSTANTS, startTime);
    this.#lastTime = Math.max(this.#lastTime, startTime);
    if (exchange.outcome !== null) {
      this.#putTypes(row, exchange);
      this.update(row, exchange);
    }
    if (this.#nextRow - this.#firstRow > this.#cap) this.#forgetFirst();
    return row;
  }

  /** Writes what is new: in flight, since its response began; else, since it ended. */
  update(row: number, exchange: Exchange): void {
    const { outcome, reused, waitedFor } = exchange;
    if (outcome === null) return this.#putTypes(row, exchange);
    this.#putInstants(row, exchange.instants);
    this.#endTime.put(row, exchange.endTime ?? Number.NaN);
    this.#lastTime = Math.max(this.#lastTime, exchange.endTime ?? this.#lastTime);
    this.outcome.put(row, outcomeCodeOf(outcome));
    this.status.put(row, outcome?.status ?? 0);
    if (outcome?.kind === "failed") this.#detail.put(row, outcome.detail);
    this.tags.put(row, tagBits(exchange.tags));
    this.requestBodySize.put(row, exchange.requestBodySize);
    this.encodedBodySize.put(row, exchange.encodedBodySize);
    this.#decodedBodySize.put(row, exchange.decodedBodySize ?? Number.NaN);
    const waited = waitedFor === null ? 0 : 1 + WAITED_FOR.indexOf(waitedFor);
    this.#reused.put(row, 4 * waited + (reused === null ? 0 : 1 + Number(reused)));
    this.connection.put(row, codeOf(exchange.connection));
    if (exchange.stream !== null) this.#stream.put(row, exchange.stream);
  }

  /** Puts other endpoints, and what of the targets is more than their paths, in the place of those that held. */
  rekey({ endpoints, endpoint, target }: Pick<Regrouping, "endpoints" | "endpoint" | "target">): void {
    this.#endpoints = endpoints;
    this.#endpoint = endpoint;
    this.#target = target;
  }

  setDecodedSize(row: number, size: number | null): void {
    this.#decodedBodySize.put(row, size ?? Number.NaN);
  }

  /** The row of an exchange; `null` if it is unknown or forgotten. */
  rowOf(id: ExchangeId): number | null {
    const row = this.#rowOfId.at(id) - 1;
    return row >= this.#firstRow && this.ids.at(row) === id ? row : null;
  }

  startTimeAt(row: number): number {
    return this.#instants.at(row * INSTANTS);
  }

  /** As `timedLatencyOf`, NaN for its `null`. */
  latencyAt(row: number): number {
    if (this.outcome.at(row) === 0 || (this.tags.at(row) & UNTIMED) !== 0) return Number.NaN;
    return this.#instants.at(row * INSTANTS + RESPONSE_END) - this.#instants.at(row * INSTANTS);
  }

  /** Whether the exchange has ended and is in the statistics. */
  countsAt(row: number): boolean {
    return this.outcome.at(row) !== 0 && !this.isUncountedAt(row);
  }

  isUncountedAt(row: number): boolean {
    return (this.tags.at(row) & UNCOUNTED) !== 0;
  }

  isErrorAt(row: number): boolean {
    return this.outcome.at(row) > RESPONDED || this.status.at(row) >= 400;
  }

  respondedAt(row: number): boolean {
    return this.outcome.at(row) === RESPONDED;
  }

  hasTag(row: number, tag: Tag): boolean {
    return (this.tags.at(row) & (1 << TAGS.indexOf(tag))) !== 0;
  }

  endpointAt(row: number): Endpoint {
    return this.endpoints.textAt(this.endpoint.at(row)) as Endpoint;
  }

  contentEncodingAt(row: number): string | null {
    return this.texts.textAt(this.#contentEncoding.at(row));
  }

  commentAt(row: number): string | null {
    return this.#comment.at(row);
  }

  remarkAt(row: number): Remark {
    const mark = this.mark.at(row);
    const comment = this.#comment.at(row);
    if (mark === 0 && comment === null) return NO_REMARK;
    return Object.freeze({ mark: MARKS[mark - 1] ?? null, comment: comment ?? "" });
  }

  setRemark(row: number, { mark, comment }: Remark): void {
    this.mark.put(row, mark === null ? 0 : MARKS.indexOf(mark) + 1);
    this.#comment.put(row, comment === "" ? null : comment);
  }

  /** The length of a phase, as `phasesOf`; NaN for its `null`. */
  phaseAt(row: number, phase: Phase): number {
    const at = (cell: number): number => this.#instants.at(row * INSTANTS + cell);
    switch (phase) {
      case "dns":
        return at(3) - at(2);
      case "connect":
        return (Number.isNaN(at(5)) ? at(6) : at(5)) - at(4);
      case "tls":
        return at(6) - at(5);
      case "ttfb":
        return at(9) - at(7);
      case "transfer":
        return at(RESPONSE_END) - at(9);
    }
  }

  /** When it ended; NaN in flight. */
  endTimeAt(row: number): number {
    return this.#endTime.at(row);
  }

  instantsAt(row: number): Instants {
    const at = (cell: number): Instant | null =>
      numberOrNull(this.#instants.at(row * INSTANTS + cell)) as Instant | null;
    return Object.freeze({
      startTime: this.startTimeAt(row) as Instant,
      headReceived: at(1),
      domainLookupStart: at(2),
      domainLookupEnd: at(3),
      connectStart: at(4),
      secureConnectionStart: at(5),
      connectEnd: at(6),
      requestStart: at(7),
      requestEnd: at(8),
      responseStart: at(9),
      responseForwarded: at(10),
      responseEnd: at(RESPONSE_END),
    });
  }

  exchangeAt(row: number): Exchange {
    const endpoint = this.endpointAt(row);
    const method = this.texts.textAt(this.method.at(row)) ?? "";
    const origin = this.texts.textAt(this.origin.at(row)) ?? "";
    const reused = this.#reused.at(row) % 4;
    return Object.freeze({
      id: this.ids.at(row) as ExchangeId,
      endpoint,
      method,
      origin,
      target: this.#target.at(row) ?? endpoint.slice(method.length + 1 + origin.length),
      client: this.texts.textAt(this.client.at(row)) ?? "",
      instants: this.instantsAt(row),
      endTime: numberOrNull(this.#endTime.at(row)) as Instant | null,
      outcome: outcomeOf(this.outcome.at(row), this.status.at(row), this.#detail.at(row) ?? ""),
      requestBodySize: this.requestBodySize.at(row),
      encodedBodySize: this.encodedBodySize.at(row),
      decodedBodySize: numberOrNull(this.#decodedBodySize.at(row)),
      contentEncoding: this.contentEncodingAt(row),
      contentType: this.texts.textAt(this.contentType.at(row)),
      reused: reused === 0 ? null : reused === 2,
      connection: numberIn(this.connection.at(row)),
      stream: this.#stream.at(row) || null,
      waitedFor: WAITED_FOR[Math.floor(this.#reused.at(row) / 4) - 1] ?? null,
      clientConnection: numberIn(this.clientConnection.at(row)),
      clientStream: this.#clientStream.at(row) || null,
      protocol: this.texts.textAt(this.protocol.at(row)) ?? "",
      tags: this.#tagsAt(row),
    });
  }

  #putTypes(row: number, { contentType, contentEncoding }: Exchange): void {
    this.contentType.put(row, this.texts.numberOf(contentType));
    this.#contentEncoding.put(row, this.texts.numberOf(contentEncoding));
  }

  #putEndpoint(
    row: number,
    { method, origin, target }: Pick<Exchange, "method" | "origin" | "target">,
    endpoint: Endpoint,
  ): void {
    this.endpoint.put(row, this.#endpoints.numberOf(endpoint));
    const isPath = endpoint.length === method.length + 1 + origin.length + target.length && endpoint.endsWith(target);
    this.#target.put(row, isPath ? null : target);
  }

  #tagsAt(row: number): readonly Tag[] {
    const bits = this.tags.at(row);
    const known = this.#tagLists.get(bits) ?? tagsOf(bits);
    this.#tagLists.set(bits, known);
    return known;
  }

  #putInstants(row: number, at: Instants): void {
    const first = row * INSTANTS;
    this.#instants.put(first, at.startTime);
    this.#instants.put(first + 1, at.headReceived ?? Number.NaN);
    this.#instants.put(first + 2, at.domainLookupStart ?? Number.NaN);
    this.#instants.put(first + 3, at.domainLookupEnd ?? Number.NaN);
    this.#instants.put(first + 4, at.connectStart ?? Number.NaN);
    this.#instants.put(first + 5, at.secureConnectionStart ?? Number.NaN);
    this.#instants.put(first + 6, at.connectEnd ?? Number.NaN);
    this.#instants.put(first + 7, at.requestStart ?? Number.NaN);
    this.#instants.put(first + 8, at.requestEnd ?? Number.NaN);
    this.#instants.put(first + 9, at.responseStart ?? Number.NaN);
    this.#instants.put(first + 10, at.responseForwarded ?? Number.NaN);
    this.#instants.put(first + RESPONSE_END, at.responseEnd ?? Number.NaN);
  }

  #forgetFirst(): void {
    this.#firstRow += 1;
    if (this.#firstRow % CHUNK_ROWS !== 0) return;
    for (const column of this.#columns) column.forgetBefore(this.#firstRow);
    this.#endpoint.forgetBefore(this.#firstRow);
    this.#target.forgetBefore(this.#firstRow);
    this.#instants.forgetBefore(this.#firstRow * INSTANTS);
    // Ids are nearly in the order of rows; a chunk of patience for the late ones.
    this.#rowOfId.forgetBefore(Math.max(0, this.ids.at(this.#firstRow) - CHUNK_ROWS));
  }
}

function codeOf(number: number | null): number {
  return number === null ? 0 : number + 1;
}

function numberIn(code: number): number | null {
  return code === 0 ? null : code - 1;
}

function numberOrNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
