import type { CaptureEvent } from "../capture/event.ts";
import { Recorder } from "../capture/recorder.ts";
import type { Endpoint } from "../model/endpoint.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Remark } from "../model/remark.ts";
import { DEFAULT_SETTINGS } from "../model/settings.ts";
import type { Slices } from "../model/slices.ts";
import type { Bytes, ExchangeId, Instant } from "../model/units.ts";
import type { EndpointTally } from "../stats/endpoint-tally.ts";
import { ChangeLog } from "./change-log.ts";
import { ClientPrograms } from "./client-programs.ts";
import { type EndpointTallies, MOST_UNLISTED } from "./endpoint-tallies.ts";
import { ExchangeTable } from "./exchange-table.ts";
import { ServerConnections } from "./server-connections.ts";
import { SessionTally } from "./session-tally.ts";
import type { SummaryTally } from "./summary-tally.ts";

/**
 * One recording: a fold of capture events into exchanges and their figures. An exchange belongs to the session in which
 * it started. Clear and New session make a new object; while Clear can be undone, feed both: the new one ignores what it
 * has not seen begin, and undo takes the old one back.
 */
export class Session {
  readonly table: ExchangeTable;
  readonly changes = new ChangeLog();
  readonly connections = new ServerConnections();
  readonly #programs: ClientPrograms;
  readonly #recorder = new Recorder();
  readonly #tally: SessionTally;
  /** Exchanges by the number of their origin's text. */
  readonly #origins = new Map<number, number>();
  #exchanges = 0;
  #dropped = 0;
  #revision = 0;
  #endedAt: Instant | null = null;

  /**
   * `rowCap`: decisions.md, Limits: older rows leave the list, the figures stay. `grouped`: paths that differ only in
   * numbers and ids are one endpoint. `mostUnlisted`: as of `EndpointTallies`.
   */
  constructor(rowCap: number = DEFAULT_SETTINGS.rowCap, grouped = false, mostUnlisted = MOST_UNLISTED) {
    this.table = new ExchangeTable(rowCap, {
      come: (row) => this.#tally.come(row),
      leave: (row) => this.#tally.leave(row),
    });
    this.#tally = new SessionTally(this.table, grouped, mostUnlisted);
    this.#programs = new ClientPrograms(this.table);
  }

  /** Grows with every change. */
  get revision(): number {
    return this.#revision;
  }

  /** When its recording ended: time stands still in it from then on. `null`: it goes on. */
  get endedAt(): Instant | null {
    return this.#endedAt;
  }

  /** Exchanges that started, in flight and forgotten ones included. */
  get exchanges(): number {
    return this.#exchanges;
  }

  /** Whether paths that differ only in numbers and ids are one endpoint. */
  get grouped(): boolean {
    return this.#tally.grouped;
  }

  get inFlight(): number {
    return this.#recorder.inFlight;
  }

  /** Events that the engine could not keep up with. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Rows that left the list at the row cap. */
  get forgotten(): number {
    return this.table.firstRow;
  }

  /** So many rows at most from now on: the oldest beyond leave the list at once, the figures stay. */
  keep(rowCap: number): void {
    const { forgotten } = this;
    this.table.keep(rowCap);
    if (this.forgotten > forgotten) this.#revision += 1;
  }

  /**
   * Whether many endpoints are known no longer: then `regrouping`, though the grouping stays, gives their numbers back.
   */
  get isSparse(): boolean {
    return this.#tally.isSparse;
  }

  /**
   * Groups similar paths from now on, or no longer: endpoints are counted anew from the rows that are still in the list. A slice
   * of the work with each step while the session goes on; it holds once the last step is done.
   */
  *regrouping(grouped: boolean, most?: number): Slices<void> {
    if (yield* this.#tally.regroup(grouped, most)) this.#revision += 1;
  }

  apply(events: readonly CaptureEvent[]): void {
    for (const event of events) this.#apply(event);
    if (events.length > 0) this.#revision += 1;
  }

  /** Its recording ended then, whatever is still in flight. */
  end(at: Instant): void {
    this.#endedAt = at;
    this.#revision += 1;
  }

  /** Takes an exchange as it stands: of a stored session, or from a file. Ids grow. */
  add(exchange: Exchange): void {
    this.#revision += 1;
    const row = this.#start(exchange);
    if (exchange.outcome !== null) this.#end(exchange, row);
  }

  /** Takes what a person says of an exchange, in the place of what was said before; of one that is not in the list nothing. */
  remark(id: ExchangeId, remark: Remark): void {
    const row = this.table.rowOf(id);
    if (row === null) return;
    this.table.remarks.put(row, remark);
    this.changes.add(row);
    this.#revision += 1;
  }

  /** `null` if it is unknown or forgotten. */
  exchange(id: ExchangeId): Exchange | null {
    const row = this.table.rowOf(id);
    return row === null ? null : this.table.exchangeAt(row);
  }

  /** Lower-case; `null` for none, and where the exchange is unknown or forgotten. */
  contentEncoding(id: ExchangeId): string | null {
    const row = this.table.rowOf(id);
    return row === null ? null : this.table.contentEncodingAt(row);
  }

  /** What is counted of all together. */
  get summary(): SummaryTally {
    return this.#tally.summary;
  }

  /** What is counted of each endpoint, collecting ones too, by their numbers, which come in the order of their first requests. */
  get tallies(): Pick<EndpointTallies, "last" | "at" | "atWithRow" | "requestsAt" | "versionOf" | "withRow"> {
    return this.#tally.endpoints;
  }

  /** The tally of a row's endpoint. */
  tallyAt(row: number): EndpointTally {
    return this.tallies.at(this.table.endpoint.at(row)) as EndpointTally;
  }

  /** `null` if there was no such request. */
  tally(endpoint: Endpoint): EndpointTally | null {
    return this.tallies.at(this.table.endpoints.find(endpoint));
  }

  /** How many exchanges went to each origin, forgotten ones included. */
  get origins(): ReadonlyMap<number, number> {
    return this.#origins;
  }

  #apply(event: CaptureEvent): void {
    switch (event.type) {
      case "request-started":
      case "response-started":
      case "exchange-ended":
        return this.#fold(event);
      case "body-decoded":
        return this.#decode(event.id, event.size);
      case "connection-opened":
        return this.connections.open(event, this.table.texts.numberOf(event.address));
      case "client-named":
        for (const row of this.#programs.name(event.connection, event.program)) this.changes.add(row);
        return;
      case "events-dropped":
        this.#dropped += event.count;
        return;
      default:
        // Bodies and messages go to the archive; here they only mean that something changed.
        return;
    }
  }

  #fold(event: CaptureEvent): void {
    const exchange = this.#recorder.fold(event);
    if (exchange === null) return;
    if (event.type === "request-started") return void this.#start(exchange);
    const row = this.table.rowOf(exchange.id);
    if (row !== null) {
      this.table.update(row, exchange);
      if (event.type === "response-started") this.table.status.put(row, event.status);
      if (exchange.connection !== null) this.table.server.put(row, this.connections.addressOf(exchange.connection));
      this.changes.add(row);
    }
    if (event.type === "exchange-ended") this.#end(exchange, row);
    if (event.type === "response-started") this.#tally.answer(exchange, event, row);
  }

  /** `row`: `null` if it has left the list. */
  #end(exchange: Exchange, row: number | null): void {
    const { id, connection, reused } = exchange;
    if (connection !== null && reused === false) this.connections.openedFor(connection, id);
    this.#tally.end(exchange, row);
  }

  /** Its row. */
  #start(exchange: Exchange): number {
    const row = this.table.add(exchange, this.#tally.keyOf(exchange));
    this.#programs.begin(row, exchange.clientConnection);
    const origin = this.table.origin.at(row);
    this.#origins.set(origin, (this.#origins.get(origin) ?? 0) + 1);
    this.#exchanges += 1;
    this.#tally.begin(exchange);
    this.changes.add(row);
    return row;
  }

  #decode(id: ExchangeId, size: Bytes | null): void {
    const row = this.table.rowOf(id);
    const exchange = row === null ? null : this.table.exchangeAt(row);
    // One that is known was counted when its exchange ended.
    if (row === null || exchange === null || exchange.decodedBodySize !== null) return;
    this.table.setDecodedSize(row, size);
    this.changes.add(row);
    if (size !== null) this.#tally.decode(exchange, size, row);
  }
}
