import type { ResponseStarted } from "../capture/event.ts";
import { groupedEndpoint } from "../insights/path-template.ts";
import { timedLatencyOf } from "../model/duration.ts";
import type { Endpoint } from "../model/endpoint.ts";
import { type Exchange, hasOneOf, UNCOUNTED_TAGS } from "../model/exchange.ts";
import type { Slices } from "../model/slices.ts";
import type { Bytes, ExchangeId } from "../model/units.ts";
import { EndpointTallies } from "./endpoint-tallies.ts";
import type { ExchangeTable } from "./exchange-table.ts";
import { Regrouping } from "./regrouping.ts";
import { type Standing, standingOf } from "./standing.ts";
import { SummaryTally } from "./summary-tally.ts";

/** Our choice: rows whose endpoints are told anew in one go, some ten milliseconds. */
const ROWS_AT_ONCE = 5_000;

/**
 * All that is counted of a session's exchanges: together, and by endpoint. One is counted when it ends, or before that
 * (`standing.ts`). `row` is `null` where it has left the list.
 */
export class SessionTally {
  readonly summary = new SummaryTally();
  readonly #table: ExchangeTable;
  /** Those that have been counted. */
  readonly #standing = new Map<ExchangeId, Standing>();
  #endpoints: EndpointTallies;
  #grouped: boolean;
  /** Endpoints that are being told anew. */
  #regrouping: Regrouping | null = null;

  constructor(table: ExchangeTable, grouped: boolean, mostUnlisted: number) {
    this.#table = table;
    this.#endpoints = new EndpointTallies(table, table.endpoints, mostUnlisted);
    this.#grouped = grouped;
  }

  /** Whether paths that differ only in numbers and ids are one endpoint. */
  get grouped(): boolean {
    return this.#grouped;
  }

  get endpoints(): EndpointTallies {
    return this.#endpoints;
  }

  /** What an exchange is counted as. */
  keyOf({ endpoint }: Exchange): Endpoint {
    return keyIn(endpoint, this.#grouped);
  }

  /** Whether to regroup, though nothing else is wanted, gives much memory back. */
  get isSparse(): boolean {
    return this.#regrouping === null && this.#endpoints.isSparse;
  }

  /** As `Session.regrouping`; tells at last whether it holds now. */
  *regroup(grouped: boolean, most = ROWS_AT_ONCE): Slices<boolean> {
    this.#regrouping = null;
    this.#endpoints.mayForget = true;
    const isChange = grouped !== this.#grouped;
    if (!isChange && !this.#endpoints.isSparse) return false;
    const table = this.#table;
    const regrouping = new Regrouping(table, this.#endpoints, (literal) => keyIn(literal, grouped), isChange);
    this.#regrouping = regrouping;
    this.#endpoints.mayForget = false;
    while (!regrouping.advance(most)) {
      yield;
      // Another one began, or this one is no longer wanted.
      if (this.#regrouping !== regrouping) return false;
    }
    for (const { endpoint, protocol } of this.#standing.values()) regrouping.stand(endpoint, protocol);
    this.#endpoints = regrouping.tallies;
    table.rekey(regrouping);
    this.#grouped = grouped;
    this.#regrouping = null;
    return true;
  }

  begin(exchange: Exchange): void {
    this.summary.begin(exchange.instants.startTime, countsIn(exchange));
  }

  answer(exchange: Exchange, event: ResponseStarted, row: number | null): void {
    const standing = countsIn(exchange) ? standingOf(exchange, event) : null;
    // What was told before a crash of the engine's thread may be told again.
    if (standing === null || this.#standing.has(exchange.id)) return;
    this.#standing.set(exchange.id, standing);
    const endpoint = this.#endpointOf(exchange, row);
    this.#endpoints.hold(endpoint);
    this.#endpoints.change(endpoint).begin(standing.protocol);
    this.#regrouping?.begin(exchange);
    this.summary.count(standing.at);
  }

  end(exchange: Exchange, row: number | null): void {
    if (!countsIn(exchange)) return;
    const endpoint = this.#endpointOf(exchange, row);
    const { id, endTime, instants } = exchange;
    const standing = this.#standing.get(id);
    const at = standing?.at ?? endTime ?? instants.startTime;
    if (standing === undefined) this.summary.count(at);
    this.#endpoints.end(endpoint, exchange, row, standing !== undefined);
    this.#regrouping?.end(exchange, row);
    this.summary.record(exchange, at);
    if (row === null) {
      this.#endpoints.change(endpoint).forget(id, timedLatencyOf(exchange));
      this.#regrouping?.forget(exchange, null);
    }
    if (this.#standing.delete(id)) this.#endpoints.letGo(endpoint);
    else if (row === null) this.#endpoints.settle(endpoint);
  }

  /** A row has come to the list. */
  come(row: number): void {
    this.#endpoints.hold(this.#table.endpoint.at(row));
  }

  /** A row is about to leave the list; what it added to the figures stays. One in flight is told of when it ends. */
  leave(row: number): void {
    const table = this.#table;
    const endpoint = table.endpoint.at(row);
    if (table.countsAt(row)) {
      const latency = table.latencyAt(row);
      const tally = this.#endpoints.change(endpoint);
      tally.forget(table.ids.at(row) as ExchangeId, Number.isNaN(latency) ? null : latency);
      this.#regrouping?.forget(table.exchangeAt(row), row);
    }
    this.#endpoints.letGo(endpoint);
    this.#regrouping?.letGo(row);
  }

  /** The size of an ended exchange's decoded body became known. */
  decode(exchange: Exchange, size: Bytes, row: number): void {
    if (!countsIn(exchange)) return;
    this.#endpoints.decode(this.#table.endpoint.at(row), exchange, size);
    this.#regrouping?.decode(exchange, size, row);
  }

  /** The number of its endpoint. */
  #endpointOf(exchange: Exchange, row: number | null): number {
    return row === null ? this.#numberOf(exchange.endpoint) : this.#table.endpoint.at(row);
  }

  #numberOf(literal: Endpoint): number {
    return this.#table.endpoints.numberOf(keyIn(literal, this.#grouped));
  }
}

function keyIn(endpoint: Endpoint, grouped: boolean): Endpoint {
  return grouped ? groupedEndpoint(endpoint) : endpoint;
}

function countsIn(exchange: Exchange): boolean {
  return !hasOneOf(exchange.tags, UNCOUNTED_TAGS);
}
