import type { Endpoint } from "../model/endpoint.ts";
import type { Exchange, Tag } from "../model/exchange.ts";
import type { ExchangeId, Instant } from "../model/units.ts";
import { RealColumn, TextColumn, WholeColumn } from "./column.ts";
import {
  connectionCodeOf,
  connectionOf,
  outcomeCodeOf,
  outcomeOf,
  reuseCodeOf,
  reusedOf,
  tagBits,
  tagsOf,
  waitedForOf,
} from "./exchange-codes.ts";
import { InstantsColumn } from "./instants-column.ts";
import { Interned } from "./interned.ts";
import { RemarkColumns } from "./remark-columns.ts";
import { RepeatingTextColumn } from "./repeating-text-column.ts";

/** What `rekey` replaces: the endpoints, each row's number of its own, and what of its target is more than that one's path. */
export interface EndpointColumns {
  readonly endpoints: Interned<Endpoint>;
  readonly endpoint: WholeColumn;
  readonly target: RepeatingTextColumn;
}

/** What is kept of an exchange in the list, by row: about 165 bytes each; texts that repeat are kept once. */
export class ExchangeColumns {
  #endpoints = new Interned<Endpoint>();
  readonly texts = new Interned();
  readonly ids = new WholeColumn();
  #endpoint = new WholeColumn();
  readonly method = new WholeColumn();
  readonly origin = new WholeColumn();
  readonly client = new WholeColumn();
  readonly contentType = new WholeColumn();
  /** As `outcomeCodeOf`. */
  readonly outcome = new WholeColumn();
  /** 0 = none; in flight, that of the head that has come. */
  readonly status = new WholeColumn();
  /** One bit for each of TAGS. */
  readonly tags = new WholeColumn();
  readonly encodedBodySize = new RealColumn(0);
  readonly protocol = new WholeColumn();
  /** The address of the server connection. */
  readonly server = new WholeColumn();
  readonly requestBodySize = new RealColumn(0);
  readonly remarks = new RemarkColumns();
  readonly #contentEncoding = new WholeColumn();
  /** As `connectionCodeOf`; the server's connection and the client's. */
  readonly connection = new WholeColumn();
  readonly clientConnection = new WholeColumn();
  /** 0 = null, which no request's stream is (RFC 9113, 5.1.1). Only others are written: without HTTP/2 these take no memory. */
  readonly #stream = new WholeColumn();
  readonly #clientStream = new WholeColumn();
  /** The client's program, likewise. */
  readonly program = new WholeColumn();
  /** As `reuseCodeOf`. */
  protected readonly reuse = new WholeColumn();
  readonly #decodedBodySize = new RealColumn(Number.NaN);
  readonly instants = new InstantsColumn();
  /** NaN in flight. */
  readonly endTime = new RealColumn(Number.NaN);
  /** Only targets that are not simply their endpoint's path. */
  #target = new RepeatingTextColumn();
  readonly #detail = new TextColumn();
  /** All but those that `rekey` replaces. */
  readonly #columns: readonly { forgetBefore(row: number): void }[] = [
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
    this.remarks,
    this.#contentEncoding,
    this.connection,
    this.clientConnection,
    this.#stream,
    this.#clientStream,
    this.program,
    this.reuse,
    this.#decodedBodySize,
    this.instants,
    this.endTime,
    this.#detail,
  ];
  readonly #tagLists = new Map<number, readonly Tag[]>();

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

  /** Writes an exchange that is new here, counted as one of `endpoint`. */
  protected put(row: number, exchange: Exchange, endpoint: Endpoint): void {
    this.ids.put(row, exchange.id);
    this.method.put(row, this.texts.numberOf(exchange.method));
    this.origin.put(row, this.texts.numberOf(exchange.origin));
    this.client.put(row, this.texts.numberOf(exchange.client));
    this.protocol.put(row, this.texts.numberOf(exchange.protocol));
    this.clientConnection.put(row, connectionCodeOf(exchange.clientConnection));
    if (exchange.clientStream !== null) this.#clientStream.put(row, exchange.clientStream);
    if (exchange.program !== null) this.program.put(row, this.texts.numberOf(exchange.program));
    this.#putEndpoint(row, exchange, endpoint);
    this.tags.put(row, tagBits(exchange.tags));
    this.instants.putStart(row, exchange.instants.startTime);
    if (exchange.outcome === null) return;
    this.#putTypes(row, exchange);
    this.update(row, exchange);
  }

  /** Writes what is new: in flight, since its response began; else, since it ended. */
  update(row: number, exchange: Exchange): void {
    const { outcome } = exchange;
    if (outcome === null) return this.#putTypes(row, exchange);
    this.instants.put(row, exchange.instants);
    this.endTime.put(row, exchange.endTime ?? Number.NaN);
    this.outcome.put(row, outcomeCodeOf(outcome));
    this.status.put(row, outcome.status ?? 0);
    if (outcome.kind === "failed") this.#detail.put(row, outcome.detail);
    this.tags.put(row, tagBits(exchange.tags));
    this.requestBodySize.put(row, exchange.requestBodySize);
    this.encodedBodySize.put(row, exchange.encodedBodySize);
    this.#decodedBodySize.put(row, exchange.decodedBodySize ?? Number.NaN);
    this.reuse.put(row, reuseCodeOf(exchange.reused, exchange.waitedFor));
    this.connection.put(row, connectionCodeOf(exchange.connection));
    if (exchange.stream !== null) this.#stream.put(row, exchange.stream);
  }

  rekey({ endpoints, endpoint, target }: EndpointColumns): void {
    this.#endpoints = endpoints;
    this.#endpoint = endpoint;
    this.#target = target;
  }

  setDecodedSize(row: number, size: number | null): void {
    this.#decodedBodySize.put(row, size ?? Number.NaN);
  }

  endpointAt(row: number): Endpoint {
    return this.endpoints.textAt(this.endpoint.at(row)) as Endpoint;
  }

  contentEncodingAt(row: number): string | null {
    return this.texts.textAt(this.#contentEncoding.at(row));
  }

  exchangeAt(row: number): Exchange {
    const endpoint = this.endpointAt(row);
    const method = this.texts.textAt(this.method.at(row)) ?? "";
    const origin = this.texts.textAt(this.origin.at(row)) ?? "";
    const endTime = this.endTime.at(row);
    const decodedBodySize = this.#decodedBodySize.at(row);
    const reuse = this.reuse.at(row);
    return Object.freeze({
      id: this.ids.at(row) as ExchangeId,
      endpoint,
      method,
      origin,
      target: this.#target.at(row) ?? endpoint.slice(method.length + 1 + origin.length),
      client: this.texts.textAt(this.client.at(row)) ?? "",
      instants: this.instants.at(row),
      endTime: Number.isNaN(endTime) ? null : (endTime as Instant),
      outcome: outcomeOf(this.outcome.at(row), this.status.at(row), this.#detail.at(row) ?? ""),
      requestBodySize: this.requestBodySize.at(row),
      encodedBodySize: this.encodedBodySize.at(row),
      decodedBodySize: Number.isNaN(decodedBodySize) ? null : decodedBodySize,
      contentEncoding: this.contentEncodingAt(row),
      contentType: this.texts.textAt(this.contentType.at(row)),
      reused: reusedOf(reuse),
      connection: connectionOf(this.connection.at(row)),
      stream: this.#stream.at(row) || null,
      waitedFor: waitedForOf(reuse),
      clientConnection: connectionOf(this.clientConnection.at(row)),
      clientStream: this.#clientStream.at(row) || null,
      program: this.texts.textAt(this.program.at(row)),
      protocol: this.texts.textAt(this.protocol.at(row)) ?? "",
      tags: this.#tagsAt(row),
    });
  }

  /** Gives back what is kept of rows before that one, as far as a whole chunk of them. */
  protected forgetBefore(row: number): void {
    for (const column of this.#columns) column.forgetBefore(row);
    this.#endpoint.forgetBefore(row);
    this.#target.forgetBefore(row);
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
}
