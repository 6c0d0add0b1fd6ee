import type { Exchange } from "../../model/exchange.ts";
import type { OperationEndpoint } from "../../model/finding.ts";
import type { HeaderField } from "../../model/head.ts";
import type { Bytes, Instant, Milliseconds } from "../../model/units.ts";
import type { BodyFacts, BodyField, ExchangeFacts } from "../exchange-facts.ts";
import { queryPairsOf } from "./query-pairs.ts";

/** The facts of an exchange in a table. */
export class RowFacts implements ExchangeFacts {
  readonly exchange: Exchange;
  readonly endpoint: OperationEndpoint;
  readonly requestFields: readonly HeaderField[];
  readonly responseFields: readonly HeaderField[];
  readonly bodyFields: readonly BodyField[] | null;
  readonly requestBody: BodyFacts;
  responseBody: BodyFacts;
  readonly applicationError: boolean;
  readonly statedLifetime: Milliseconds | null;
  readonly serverAddress: string | null;
  readonly queued: Milliseconds | null;
  readonly weir: Milliseconds | null;
  readonly events: readonly Instant[] | null;
  readonly model: ExchangeFacts["model"];
  #query: ExchangeFacts["query"] | null = null;

  constructor(said: Omit<ExchangeFacts, "query">) {
    this.exchange = said.exchange;
    this.endpoint = said.endpoint;
    this.requestFields = said.requestFields;
    this.responseFields = said.responseFields;
    this.bodyFields = said.bodyFields;
    this.requestBody = said.requestBody;
    this.responseBody = said.responseBody;
    this.applicationError = said.applicationError;
    this.statedLifetime = said.statedLifetime;
    this.serverAddress = said.serverAddress;
    this.queued = said.queued;
    this.weir = said.weir;
    this.events = said.events;
    this.model = said.model;
  }

  /** Kept from its first use on: the rules that need it read it for each parameter. */
  get query(): ExchangeFacts["query"] {
    this.#query ??= queryPairsOf(this.exchange.target);
    return this.#query;
  }

  /** Sets the response body's estimated size after compression, which is computed later than the other facts. */
  setCompressed(compressed: Bytes): void {
    this.responseBody = { ...this.responseBody, compressed };
  }
}
