import { type Annotation, NO_ANNOTATION } from "../../model/annotation.ts";
import { type Endpoint, endpointOf, operationIn } from "../../model/endpoint.ts";
import type { Exchange, Tag } from "../../model/exchange.ts";
import { KEPT, KEPT_FROM_END, KEPT_FROM_START, KEPT_NAMES, type KeptFields } from "../../model/exchange-fields.ts";
import type { ExchangeId, Instant } from "../../model/units.ts";
import {
  KeptColumn,
  markCodeOf,
  markOf,
  outcomeCodeOf,
  outcomeOf,
  RealColumn,
  RepeatingTextColumn,
  SparseColumn,
  TextColumn,
  tagBits,
  tagsOf,
  WholeColumn,
} from "./column.ts";
import { InstantsColumn, SlowedColumn } from "./instants-column.ts";
import { EndpointNames, type Interned, LimitedTexts } from "./interned.ts";

type KeptColumns = { readonly [Name in keyof KeptFields]: KeptColumn<NonNullable<KeptFields[Name]>> };

const FROM_START = Object.keys(KEPT_FROM_START) as readonly (keyof KeptFields)[];
const FROM_END = Object.keys(KEPT_FROM_END) as readonly (keyof KeptFields)[];

/** The columns for the exchanges in the table, about 165 bytes a row. Repeated texts are stored once. */
export class ExchangeColumns {
  readonly #columns: { forgetBefore(row: number): void }[] = [];
  #endpoints: EndpointNames;
  readonly texts: Interned = new LimitedTexts();
  readonly ids = this.#column(new WholeColumn());
  /** The number of the row's endpoint; 0 if the endpoint has none. */
  readonly endpoint = this.#column(new WholeColumn());
  readonly method = this.#column(new WholeColumn());
  readonly origin = this.#column(new WholeColumn());
  readonly client = this.#column(new WholeColumn());
  readonly contentType = this.#column(new WholeColumn());
  /** The outcome, encoded by `outcomeCodeOf`. */
  readonly outcome = this.#column(new WholeColumn());
  /** The status sent to the client; 0 if there is none so far. Written at the response's head and at the end. */
  readonly status = this.#column(new WholeColumn());
  readonly tags = this.#column(new WholeColumn());
  readonly encodedBodySize = this.#column(new RealColumn(0));
  readonly protocol = this.#column(new WholeColumn());
  /** The address of the server's end of the connection. */
  readonly server = this.#column(new WholeColumn());
  readonly requestBodySize = this.#column(new RealColumn(0));
  readonly annotations = this.#column(new AnnotationColumns());
  readonly #contentEncoding = this.#column(new WholeColumn());
  /** A column that no exchange has written to, such as a stream's without HTTP/2, takes no memory. */
  readonly kept = Object.fromEntries(
    KEPT_NAMES.map((name) => [name, this.#column(new KeptColumn<unknown>(KEPT[name], this.texts))]),
  ) as unknown as KeptColumns;
  /** The name of the client's program; written only if known. */
  readonly program = this.#column(new WholeColumn());
  /** Written only if not 0. */
  readonly uncertainty = this.#column(new WholeColumn());
  readonly decodedBodySize = this.#column(new RealColumn(Number.NaN));
  readonly instants = this.#column(new InstantsColumn());
  readonly slowed = this.#column(new SlowedColumn());
  /** NaN while the exchange is in flight. */
  readonly endTime = this.#column(new RealColumn(Number.NaN));
  /** The row's target, if it differs from the path of its endpoint. */
  readonly ownTargets = this.#column(new RepeatingTextColumn());
  /** The page of the request (`PageFinder`). */
  readonly page = this.#column(new RepeatingTextColumn());
  /** The number of the unit of an experiment; NaN outside experiments. */
  readonly unit = this.#column(new SparseColumn(1));
  readonly detail = this.#column(new TextColumn());
  /** The number of characters that are stored for this row alone. */
  readonly #textLength = this.#column(new WholeColumn());
  readonly #tagLists = new Map<number, readonly Tag[]>();

  constructor(mostEndpoints: number) {
    this.#endpoints = new EndpointNames(mostEndpoints);
  }

  /** The table's endpoints. `rekey` replaces them; they then have other numbers. */
  get endpoints(): EndpointNames {
    return this.#endpoints;
  }

  /** Writes a new exchange, which belongs to `endpoint`. */
  protected put(row: number, exchange: Exchange, endpoint: Endpoint): void {
    this.ids.put(row, exchange.id);
    this.method.put(row, this.texts.numberOf(exchange.method));
    this.origin.put(row, this.texts.numberOf(exchange.origin));
    this.client.put(row, this.texts.numberOf(exchange.client));
    this.protocol.put(row, this.texts.numberOf(exchange.protocol));
    this.#putKept(row, exchange, FROM_START);
    if (exchange.program !== null) this.program.put(row, this.texts.numberOf(exchange.program));
    const number = this.#endpoints.numberOf(endpoint);
    this.endpoint.put(row, number);
    this.#textLength.put(row, 0);
    this.putTarget(row, number === 0 ? null : endpoint, exchange.target);
    this.tags.put(row, tagBits(exchange.tags));
    this.instants.putStart(row, exchange.instants.startTime);
    if (exchange.outcome === null) return;
    this.#putTypes(row, exchange);
    this.update(row, exchange);
  }

  /**
   * Writes the content type and the content coding of an exchange in flight. For an ended exchange, writes the outcome
   * and the other values that are known at the end.
   */
  update(row: number, exchange: Exchange): void {
    const { outcome } = exchange;
    if (outcome === null) return this.#putTypes(row, exchange);
    this.instants.put(row, exchange.instants);
    this.endTime.put(row, exchange.endTime ?? Number.NaN);
    this.outcome.put(row, outcomeCodeOf(outcome));
    this.status.put(row, outcome.status ?? 0);
    if (outcome.kind === "failed") {
      this.detail.put(row, outcome.detail);
      this.#textLength.put(row, this.#textLength.at(row) + outcome.detail.length);
    }
    this.tags.put(row, tagBits(exchange.tags));
    this.requestBodySize.put(row, exchange.requestBodySize);
    this.encodedBodySize.put(row, exchange.encodedBodySize);
    this.decodedBodySize.put(row, exchange.decodedBodySize ?? Number.NaN);
    this.#putKept(row, exchange, FROM_END);
    if (exchange.uncertainty > 0) this.uncertainty.put(row, exchange.uncertainty);
    if (exchange.slowed !== null) this.slowed.put(row, exchange.slowed);
  }

  /** Replaces the endpoints. `numberOf`: returns the number of the row's endpoint among the new ones. */
  protected replaceEndpoints(
    endpoints: EndpointNames,
    rows: readonly [first: number, next: number],
    numberOf: (row: number, old: number) => number,
  ): void {
    const before = this.#endpoints;
    const isSame = (old: number, number: number) => before.textAt(old) === endpoints.textAt(number);
    for (let row = rows[0]; row < rows[1]; row += 1) {
      const old = this.endpoint.at(row);
      const number = numberOf(row, old);
      if (old === number && isSame(old, number)) continue;
      const target = isSame(old, number) ? null : this.targetAt(row);
      this.endpoint.put(row, number);
      if (target !== null) this.putTarget(row, endpoints.textAt(number), target);
    }
    this.#endpoints = endpoints;
  }

  addTag(row: number, tag: Tag): void {
    this.tags.put(row, this.tags.at(row) | tagBits([tag]));
  }

  setDecodedSize(row: number, size: number | null): void {
    this.decodedBodySize.put(row, size ?? Number.NaN);
  }

  /** The exchange as it is now. */
  exchangeAt(row: number): Exchange {
    return Object.freeze({
      id: this.ids.at(row) as ExchangeId,
      endpoint: this.endpointAt(row),
      method: this.methodAt(row),
      origin: this.originAt(row),
      target: this.targetAt(row),
      client: this.clientAt(row),
      instants: this.instants.at(row),
      endTime: orNull(this.endTime.at(row)) as Instant | null,
      outcome: outcomeOf(this.outcome.at(row), this.status.at(row), this.detail.at(row) ?? ""),
      requestBodySize: this.requestBodySize.at(row),
      encodedBodySize: this.encodedBodySize.at(row),
      decodedBodySize: orNull(this.decodedBodySize.at(row)),
      contentEncoding: this.contentEncodingAt(row),
      contentType: this.contentTypeAt(row),
      uncertainty: this.uncertainty.at(row),
      slowed: this.slowed.at(row),
      program: this.texts.textAt(this.program.at(row)),
      protocol: this.texts.textAt(this.protocol.at(row)) ?? "",
      tags: this.tagsAt(row),
      ...this.#keptAt(row),
    });
  }

  /** The row's endpoint. If the endpoint has no number, returns `literalAt`. */
  endpointAt(row: number): Endpoint {
    return this.endpoints.textAt(this.endpoint.at(row)) ?? this.literalAt(row);
  }

  /** The endpoint made from the row's own path instead of a template, with the row's operation. */
  literalAt(row: number): Endpoint {
    const endpoint = this.endpoints.textAt(this.endpoint.at(row));
    const operation = endpoint === null ? null : operationIn(endpoint);
    return endpointOf(this.methodAt(row), this.originAt(row), this.targetAt(row), operation);
  }

  targetAt(row: number): string {
    const own = this.ownTargets.at(row);
    if (own !== null) return own;
    const endpoint = this.endpoints.textAt(this.endpoint.at(row)) ?? "";
    return endpoint.slice(this.methodAt(row).length + 1 + this.originAt(row).length);
  }

  contentEncodingAt(row: number): string | null {
    return this.texts.textAt(this.#contentEncoding.at(row));
  }

  /** The number of characters that are stored for this row alone, such as a failure's detail. */
  protected textLengthAt(row: number): number {
    return this.#textLength.at(row);
  }

  /** Frees the texts of an evicted row, since the row's chunk stays until all rows of the chunk are evicted. */
  protected forgetTexts(row: number): void {
    if (this.#textLength.at(row) === 0) return;
    this.ownTargets.put(row, null);
    this.detail.put(row, null);
  }

  /** Frees chunks whose rows are all before `row`. */
  protected forgetBefore(row: number): void {
    for (const column of this.#columns) column.forgetBefore(row);
  }

  #column<Column extends { forgetBefore(row: number): void }>(column: Column): Column {
    this.#columns.push(column);
    return column;
  }

  #putKept(row: number, exchange: Exchange, names: readonly (keyof KeptFields)[]): void {
    for (const name of names) (this.kept[name] as KeptColumn<unknown>).putValue(row, exchange[name]);
  }

  #keptAt(row: number): KeptFields {
    const kept: Partial<Record<keyof KeptFields, unknown>> = {};
    for (const name of KEPT_NAMES) kept[name] = this.kept[name].valueAt(row);
    return kept as KeptFields;
  }

  #putTypes(row: number, { contentType, contentEncoding }: Exchange): void {
    this.contentType.put(row, this.texts.numberOf(contentType));
    this.#contentEncoding.put(row, this.texts.numberOf(contentEncoding));
  }

  /** Writes the target unless it is the path of the row's `endpoint`. Method and origin must be written already. */
  protected putTarget(row: number, endpoint: Endpoint | null, target: string): void {
    const before = this.methodAt(row).length + 1 + this.originAt(row).length;
    const isPath = endpoint?.length === before + target.length && endpoint.endsWith(target);
    const own = this.ownTargets.ownLengthAt(row);
    this.ownTargets.put(row, isPath ? null : target);
    this.#textLength.put(row, this.#textLength.at(row) - own + this.ownTargets.ownLengthAt(row));
  }

  methodAt(row: number): string {
    return this.texts.textAt(this.method.at(row)) ?? "";
  }

  originAt(row: number): string {
    return this.texts.textAt(this.origin.at(row)) ?? "";
  }

  clientAt(row: number): string {
    return this.texts.textAt(this.client.at(row)) ?? "";
  }

  contentTypeAt(row: number): string | null {
    return this.texts.textAt(this.contentType.at(row));
  }

  tagsAt(row: number): readonly Tag[] {
    const bits = this.tags.at(row);
    const known = this.#tagLists.get(bits);
    if (known !== undefined) return known;
    const tags = tagsOf(bits);
    this.#tagLists.set(bits, tags);
    return tags;
  }
}

/** Annotations by row. Most rows have none. */
class AnnotationColumns {
  /** Marks, encoded by `markCodeOf`. */
  readonly mark = new WholeColumn();
  /** Comments; `null` instead of an empty one. */
  readonly comment = new TextColumn();

  at(row: number): Annotation {
    const mark = this.mark.at(row);
    const comment = this.comment.at(row);
    if (mark === 0 && comment === null) return NO_ANNOTATION;
    return Object.freeze({ mark: markOf(mark), comment: comment ?? "" });
  }

  put(row: number, { mark, comment }: Annotation): void {
    this.mark.put(row, markCodeOf(mark));
    this.comment.put(row, comment === "" ? null : comment);
  }

  forgetBefore(row: number): void {
    this.mark.forgetBefore(row);
    this.comment.forgetBefore(row);
  }
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
