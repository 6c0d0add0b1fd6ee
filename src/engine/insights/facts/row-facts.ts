import type { Exchange } from "../../model/exchange.ts";
import type { OperationEndpoint } from "../../model/finding.ts";
import type { HeaderField } from "../../model/head.ts";
import type { Bytes, Instant, Milliseconds } from "../../model/units.ts";
import type { BodyFacts, BodyField, ExchangeFacts } from "../exchange-facts.ts";
import { queryPairsOf } from "./query-pairs.ts";

/**
 * The most exchanges cached as objects; a power of two. Every kind of finding reads all exchanges, so that a session
 * that does not fit is created again for each kind.
 */
const HELD = 131_072;

/**
 * Creates a table's exchanges from their rows on demand, since a million exchanges as objects would take a gigabyte.
 */
export class CachedExchanges {
  readonly #exchangeAt: (row: number) => Exchange;
  readonly #rows: number[] = [];
  readonly #exchanges: Exchange[] = [];

  constructor(exchangeAt: (row: number) => Exchange) {
    this.#exchangeAt = exchangeAt;
  }

  at(row: number): Exchange {
    const place = row & (HELD - 1);
    if (this.#rows[place] !== row) {
      this.#exchanges[place] = this.#exchangeAt(row);
      this.#rows[place] = row;
    }
    return this.#exchanges[place] as Exchange;
  }
}

/** The facts of an exchange in a table. */
export class RowFacts implements ExchangeFacts {
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
  readonly #exchanges: CachedExchanges;
  readonly #row: number;

  constructor(exchanges: CachedExchanges, row: number, said: Omit<ExchangeFacts, "exchange" | "query">) {
    this.#exchanges = exchanges;
    this.#row = row;
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

  get exchange(): Exchange {
    return this.#exchanges.at(this.#row);
  }

  get query(): ExchangeFacts["query"] {
    return queryPairsOf(this.exchange.target);
  }

  /** Sets the response body's estimated size after compression, which is computed later than the other facts. */
  setCompressed(compressed: Bytes): void {
    this.responseBody = { ...this.responseBody, compressed };
  }
}
