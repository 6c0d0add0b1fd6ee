import type { Endpoint } from "../../model/endpoint.ts";
import type { Exchange, Outcome, Tag } from "../../model/exchange.ts";
import type { Instants, Slowed } from "../../model/phases.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../../model/units.ts";
import type { WaitedFor } from "../../model/wait.ts";
import { connectionOf, outcomeOf, reusedOf, waitedForOf } from "./exchange-codes.ts";
import type { ExchangeColumns } from "./exchange-columns.ts";

/** An exchange in the table. Each part of it is read only when it is accessed. */
export class RowExchange implements Exchange {
  readonly #columns: ExchangeColumns;
  readonly #row: number;
  #instants: Instants | null = null;
  #outcome: Outcome | null = null;
  #target: string | null = null;

  constructor(columns: ExchangeColumns, row: number) {
    this.#columns = columns;
    this.#row = row;
  }

  get id(): ExchangeId {
    return this.#columns.ids.at(this.#row) as ExchangeId;
  }

  get endpoint(): Endpoint {
    return this.#columns.endpointAt(this.#row);
  }

  get method(): string {
    return this.#columns.methodAt(this.#row);
  }

  get origin(): string {
    return this.#columns.originAt(this.#row);
  }

  /** The target; read only once, since it is cut from the endpoint's text, and its hash would be computed again. */
  get target(): string {
    this.#target ??= this.#columns.targetAt(this.#row);
    return this.#target;
  }

  get client(): string {
    return this.#textOf("client") ?? "";
  }

  /** The instants; read only once, since the instants of an ended exchange do not change. */
  get instants(): Instants {
    this.#instants ??= this.#columns.instants.at(this.#row);
    return this.#instants;
  }

  get endTime(): Instant | null {
    return orNull(this.#columns.endTime.at(this.#row)) as Instant | null;
  }

  /** The outcome; read only until there is one, since it does not change. */
  get outcome(): Outcome | null {
    const { outcome, status, detail } = this.#columns;
    this.#outcome ??= outcomeOf(outcome.at(this.#row), status.at(this.#row), detail.at(this.#row) ?? "");
    return this.#outcome;
  }

  get requestBodySize(): Bytes {
    return this.#columns.requestBodySize.at(this.#row);
  }

  get encodedBodySize(): Bytes {
    return this.#columns.encodedBodySize.at(this.#row);
  }

  get decodedBodySize(): Bytes | null {
    return orNull(this.#columns.decodedBodySize.at(this.#row));
  }

  get contentEncoding(): string | null {
    return this.#columns.contentEncodingAt(this.#row);
  }

  get contentType(): string | null {
    return this.#textOf("contentType");
  }

  get reused(): boolean | null {
    return reusedOf(this.#columns.reuse.at(this.#row));
  }

  get connection(): number | null {
    return connectionOf(this.#columns.connection.at(this.#row));
  }

  get stream(): number | null {
    return this.#columns.stream.at(this.#row) || null;
  }

  get waitedFor(): WaitedFor | null {
    return waitedForOf(this.#columns.reuse.at(this.#row));
  }

  get uncertainty(): Milliseconds {
    return this.#columns.uncertainty.at(this.#row);
  }

  get slowed(): Slowed | null {
    return this.#columns.slowed.at(this.#row);
  }

  get clientConnection(): number | null {
    return connectionOf(this.#columns.clientConnection.at(this.#row));
  }

  get clientStream(): number | null {
    return this.#columns.clientStream.at(this.#row) || null;
  }

  get program(): string | null {
    return this.#textOf("program");
  }

  get protocol(): string {
    return this.#textOf("protocol") ?? "";
  }

  get tags(): readonly Tag[] {
    return this.#columns.tagsAt(this.#row);
  }

  #textOf(column: "client" | "contentType" | "program" | "protocol"): string | null {
    return this.#columns.texts.textAt(this.#columns[column].at(this.#row));
  }
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
