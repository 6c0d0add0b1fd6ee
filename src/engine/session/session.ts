import type { BodyDecoded, CaptureEvent, TlsParameters } from "../capture/event.ts";
import { ExchangeFolder } from "../capture/exchange-folder.ts";
import { withLatest } from "../insights/experiment/ended-experiment.ts";
import { isTemplate, type PathTemplates } from "../insights/path-templates.ts";
import type { PageMark } from "../messages/timeline-messages.ts";
import type { Annotation } from "../model/annotation.ts";
import { type Endpoint, partsOf } from "../model/endpoint.ts";
import { evictOldest } from "../model/evict-oldest.ts";
import type { Exchange } from "../model/exchange.ts";
import type { ChangeMarked, EndedExperiment } from "../model/experiment.ts";
import { DEFAULT_SETTINGS } from "../model/settings.ts";
import type { ExchangeId, Instant } from "../model/units.ts";
import { EndpointTally } from "../stats/endpoint-tally.ts";
import { ExchangeTable } from "./table/exchange-table.ts";
import { MOST_ENDPOINTS } from "./table/interned.ts";
import { PageFinder } from "./table/page-finder.ts";
import { ClientPrograms, CONNECTION_CAP, ServerConnections } from "./table/server-connections.ts";
import type { EndpointTallies } from "./tallies/endpoint-tallies.ts";
import { SessionTally } from "./tallies/session-tally.ts";
import type { SummaryTally } from "./tallies/summary-tally.ts";

/**
 * Folds capture events into exchanges and their figures. An exchange belongs to the session in which it started. While
 * Clear can be undone, both the old and the new session receive the events. Each ignores exchanges whose start it did
 * not receive.
 */
export class Session {
  readonly table: ExchangeTable;
  readonly changes = new ChangeLog();
  readonly connections: ServerConnections;
  readonly #programs: ClientPrograms;
  readonly #recorder: ExchangeFolder;
  readonly #pages: PageFinder;
  /** What TLS agreed on with the latest clients, by the connection's number. */
  readonly #clientTls: Map<number, TlsParameters>;
  readonly #changeMarks: ChangeMarked[];
  readonly #tally: SessionTally;
  /** The number of exchanges by origin. The key is the number of the origin's text in the table. */
  readonly #origins: Map<number, number>;
  /** Hidden exchanges, and shown ones until `countAgain`, each with what arrived about its body meanwhile. */
  readonly #late: Map<ExchangeId, BodyDecoded | null>;
  #exchanges = 0;
  #dropped = 0;
  #revision = 0;
  #endedAt: Instant | null = null;
  #experiments: readonly EndedExperiment[] = [];
  /** The number of templates among the first `size` endpoints. */
  #counted = { endpoints: null as object | null, size: 1, templates: 0 };

  /**
   * `rowCap`: docs/specification.md, Limits; older rows are evicted, and their figures stay. `templates`: the templates
   * that fold similar paths; `null` shows every path by itself. `mostEndpoints`: how many endpoints get a number. `of`:
   * as in `renewed`.
   */
  constructor(
    rowCap: number = DEFAULT_SETTINGS.rowCap,
    templates: PathTemplates | null = null,
    mostEndpoints = MOST_ENDPOINTS,
    of: Session | null = null,
  ) {
    this.table = of?.table ?? new ExchangeTable(rowCap, (row) => this.#tally.rowEvicted(row), undefined, mostEndpoints);
    this.#tally = of === null ? new SessionTally(this.table, templates) : of.#tally;
    this.#programs = of === null ? new ClientPrograms(this.table) : of.#programs;
    this.connections = of?.connections ?? new ServerConnections();
    this.#recorder = of === null ? new ExchangeFolder() : of.#recorder;
    this.#pages = of === null ? new PageFinder() : of.#pages;
    this.#clientTls = of === null ? new Map() : of.#clientTls;
    this.#changeMarks = of === null ? [] : of.#changeMarks;
    this.#origins = of === null ? new Map() : of.#origins;
    this.#late = of === null ? new Map() : of.#late;
    if (of === null) return;
    [this.#exchanges, this.#dropped, this.#revision] = [of.#exchanges, of.#dropped, of.#revision + 1];
    [this.#endedAt, this.#experiments] = [of.#endedAt, of.#experiments];
  }

  /**
   * The same session as another object, which takes this one's place: whatever was computed for this one is computed
   * again. Called once rows were hidden or shown.
   */
  renewed(): Session {
    return new Session(undefined, null, MOST_ENDPOINTS, this);
  }

  /**
   * Hides ended exchanges, which the user deleted, from all lists, and returns their rows, for `uncount`. They can be
   * shown again until they are evicted.
   */
  hide(ids: readonly ExchangeId[]): readonly number[] {
    const rows = this.table.hide(ids);
    for (const row of rows) {
      this.#countOrigin(row, -1);
      const id = this.table.ids.at(row) as ExchangeId;
      if (!this.#late.has(id)) this.#late.set(id, null);
    }
    return rows;
  }

  /** Takes hidden rows out of the figures; call `recount` after the last ones. It folds and reads no other exchange. */
  uncount(rows: readonly number[]): void {
    this.#tally.remove(rows.filter((row) => row >= this.table.firstRow));
    this.#revision += 1;
  }

  /** Counts again what `uncount` could not take back: the largest body, samples of sizes, and protocols. */
  recount(): void {
    this.#tally.recount();
    this.#revision += 1;
  }

  /** Shows hidden exchanges again, but for evicted ones, and returns their rows, for `countAgain`. */
  show(ids: readonly ExchangeId[]): readonly number[] {
    const rows = this.table.show(ids);
    for (const row of rows) this.#countOrigin(row, 1);
    return rows;
  }

  /** Adds shown rows to all figures, with what arrived about them while they were hidden. */
  countAgain(rows: readonly number[]): void {
    const kept = rows.filter((row) => row >= this.table.firstRow);
    this.#tally.restore(kept);
    for (const row of kept) {
      if (this.table.isHiddenAt(row)) continue;
      const id = this.table.ids.at(row) as ExchangeId;
      const late = this.#late.get(id) ?? null;
      this.#late.delete(id);
      if (late !== null) this.#decode(late);
    }
    this.#revision += 1;
  }

  /** Increases with every change. */
  get revision(): number {
    return this.#revision;
  }

  /** When the recording ended; `null` while recording. After the end, this is the "now" for all times. */
  get endedAt(): Instant | null {
    return this.#endedAt;
  }

  /** The experiments that have ended, the latest of each target. The latest first; another list with each change. */
  get experiments(): readonly EndedExperiment[] {
    return this.#experiments;
  }

  /** The number of exchanges that started, including exchanges in flight and evicted ones. */
  get exchanges(): number {
    return this.#exchanges;
  }

  /** The templates that fold similar paths; `null` if every path is shown by itself. */
  get templates(): PathTemplates | null {
    return this.#tally.templates;
  }

  /** The number of endpoints whose path is a template. */
  get templateCount(): number {
    const { endpoints } = this.table;
    if (this.#counted.endpoints !== endpoints) this.#counted = { endpoints, size: 1, templates: 0 };
    for (; this.#counted.size < endpoints.size; this.#counted.size += 1) {
      if (isTemplate(partsOf(endpoints.textAt(this.#counted.size) as Endpoint).path)) this.#counted.templates += 1;
    }
    return this.#counted.templates;
  }

  /** Whether an endpoint has too many operations to count each of them by itself. */
  get poolsOperations(): boolean {
    return this.#tally.poolsOperations;
  }

  /** The number of counted requests to endpoints without a number. */
  get unlisted(): number {
    const { tallies, table, summary } = this;
    if (!table.endpoints.isFull) return 0;
    return tallies.counted().reduce((left, { requests }) => left - requests, summary.counted);
  }

  get inFlight(): number {
    return this.#recorder.inFlight;
  }

  /** The number of events that were dropped because the engine could not keep up. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The number of rows that were evicted at the row cap. */
  get forgotten(): number {
    return this.table.firstRow;
  }

  /** What the user marked as A and B, by time. */
  get changeMarks(): readonly ChangeMarked[] {
    return this.#changeMarks;
  }

  /** Sets the row cap. Rows beyond it are evicted at once, oldest first; their figures stay. */
  setRowCap(rowCap: number): void {
    const { forgotten } = this;
    this.table.setCap(rowCap);
    if (this.forgotten > forgotten) this.#revision += 1;
  }

  /** Counts endpoints under other templates. If a template splits, its rows in the table are counted again. */
  regroup(templates: PathTemplates | null): void {
    this.#tally.regroup(templates);
    this.#revision += 1;
  }

  /** Whether `learn` may find new templates. */
  get mayLearn(): boolean {
    return this.#tally.mayLearn;
  }

  /** Folds paths that have turned out to be similar. Returns whether any endpoint changed. */
  learn(): boolean {
    const isChange = this.#tally.learn();
    if (isChange) this.#revision += 1;
    return isChange;
  }

  apply(events: readonly CaptureEvent[]): void {
    for (const event of events) this.#apply(event);
    if (events.length > 0) this.#revision += 1;
  }

  /** Ends the session at this instant, even with exchanges in flight. */
  freeze(at: Instant): void {
    this.#endedAt = at;
    this.#revision += 1;
  }

  /** Adds an exchange of a stored session or an imported file as it is. Ids must increase. */
  add(exchange: Exchange): void {
    this.#revision += 1;
    const row = this.#start(exchange);
    if (exchange.outcome !== null) this.#exchangeEnded(exchange, row);
  }

  /** Replaces an exchange's annotation; ignored for evicted rows. */
  annotate(id: ExchangeId, annotation: Annotation): void {
    const row = this.table.rowOf(id);
    if (row === null) return;
    this.table.annotations.put(row, annotation);
    this.changes.add(row);
    this.#revision += 1;
  }

  /** The exchange; `null` if it is unknown or evicted. */
  exchange(id: ExchangeId): Exchange | null {
    const row = this.table.rowOf(id);
    return row === null ? null : this.table.exchangeAt(row);
  }

  /**
   * The response's Content-Encoding in lower case; `null` if there is none, or if the exchange is unknown or evicted.
   */
  contentEncoding(id: ExchangeId): string | null {
    const row = this.table.rowOf(id);
    return row === null ? null : this.table.contentEncodingAt(row);
  }

  /** When the load event of the exchange's page happened; `null` if no HAR file says. */
  loadedAt(id: ExchangeId): Instant | null {
    return this.marksOf(id).find(({ name }) => name === "onLoad")?.at ?? null;
  }

  /** The moments of the exchange's page by a HAR file's names, such as `onLoad`; empty if no file names them. */
  marksOf(id: ExchangeId): readonly PageMark[] {
    const row = this.table.rowOf(id);
    const page = row === null ? null : this.table.page.at(row);
    const { at = null, marks = [] } = this.table.describedPages.get(page ?? "") ?? {};
    return at === null ? [] : [...marks].map(([name, time]) => ({ name, at: (at + time) as Instant }));
  }

  /** What TLS agreed on with a client; `null` if it has no TLS, and after too many later connections. */
  clientTlsOf(connection: number): TlsParameters | null {
    return this.#clientTls.get(connection) ?? null;
  }

  /** The tally of all exchanges together. */
  get summary(): SummaryTally {
    return this.#tally.summary;
  }

  /** The tallies of all endpoints, including endpoints with too few requests for a row. */
  get tallies(): Pick<
    EndpointTallies,
    "last" | "at" | "atWithRow" | "requestsAt" | "versionOf" | "withRow" | "counted"
  > {
    return this.#tally.endpoints;
  }

  /** The tally of a row's endpoint. For an endpoint without a number, an empty tally. */
  tallyAt(row: number): EndpointTally {
    return this.tallies.at(this.table.endpoint.at(row)) ?? new EndpointTally(this.table.endpointAt(row));
  }

  /** The endpoint's tally; `null` if there was no request to the endpoint. */
  tally(endpoint: Endpoint): EndpointTally | null {
    return this.tallies.at(this.table.endpoints.find(endpoint));
  }

  /** The number of exchanges per origin, including evicted ones. */
  get origins(): ReadonlyMap<number, number> {
    return this.#origins;
  }

  #apply(event: CaptureEvent): void {
    switch (event.type) {
      case "request-started":
      case "response-started":
      case "response-held":
      case "exchange-ended":
        return this.#fold(event);
      case "unit-joined": {
        const row = this.table.rowOf(event.id);
        if (row !== null) this.table.unit.put(row, 0, event.unit);
        return;
      }
      case "body-decoded":
        return this.#decode(event);
      case "connection-opened":
        return this.connections.open(event, this.table.texts.numberOf(event.address));
      case "client-named":
        for (const row of this.#programs.name(event.connection, event.program)) this.changes.add(row);
        return;
      case "client-secured":
        this.#clientTls.set(event.connection, event.tls);
        evictOldest(this.#clientTls, CONNECTION_CAP);
        return;
      case "page-described":
        this.table.describedPages.set(event.page, event);
        return;
      case "change-marked":
        this.#changeMarks.push({ at: event.at, mark: event.mark });
        return;
      case "events-dropped":
        this.#dropped += event.count;
        return;
      case "experiment-ended":
        this.#experiments = withLatest(this.#experiments, event.experiment);
        return;
      default:
        // Bodies and messages go to the archive. Here they only count as a change.
        return;
    }
  }

  #fold(event: CaptureEvent): void {
    const exchange = this.#recorder.fold(event);
    if (exchange === null) return;
    if (event.type === "request-started") {
      const started = this.#start(exchange);
      const page = this.#pages.pageOf(event, exchange.client);
      if (page !== null) this.table.page.put(started, page);
      return this.table.headers.add(started, "request", event.head);
    }
    const row = this.table.rowOf(exchange.id);
    if (row !== null) {
      this.table.update(row, exchange);
      if (event.type === "response-started") {
        this.table.status.put(row, event.status);
        this.table.headers.add(row, "response", event.head);
      }
      if (exchange.connection !== null) this.table.server.put(row, this.connections.addressOf(exchange.connection));
      this.changes.add(row);
    }
    if (event.type === "exchange-ended") this.#exchangeEnded(exchange, row);
    if (event.type === "response-started") this.#tally.responseStarted(exchange, event, row);
  }

  /** `row`: `null` if the row was evicted. */
  #exchangeEnded(exchange: Exchange, row: number | null): void {
    const { id, connection, reused } = exchange;
    if (connection !== null && reused === false) this.connections.openedFor(connection, id);
    this.#tally.exchangeEnded(exchange, row);
  }

  /** Starts an exchange and returns its row. */
  #start(exchange: Exchange): number {
    const row = this.table.add(exchange, this.#tally.keyOf(exchange));
    this.#programs.rowAdded(row, exchange.clientConnection);
    this.#countOrigin(row, 1);
    this.#tally.requestStarted(exchange);
    this.changes.add(row);
    return row;
  }

  #countOrigin(row: number, by: 1 | -1): void {
    const origin = this.table.origin.at(row);
    const count = (this.#origins.get(origin) ?? 0) + by;
    if (count > 0) this.#origins.set(origin, count);
    else this.#origins.delete(origin);
    this.#exchanges += by;
  }

  #decode(event: BodyDecoded): void {
    const { id, size, failed = false } = event;
    if (this.#late.has(id)) {
      this.#late.set(id, event);
      return;
    }
    const row = this.table.rowOf(id);
    const exchange = row === null ? null : this.table.exchangeAt(row);
    if (row === null || exchange === null) return;
    if (failed) {
      this.#tally.failed(exchange, row);
      this.table.addTag(row, "application-error");
    }
    this.changes.add(row);
    // A size that is already known has been counted.
    if (exchange.decodedBodySize !== null) return;
    this.table.setDecodedSize(row, size);
    if (size !== null) this.#tally.bodyDecoded(exchange, size, row);
  }
}

/** The log keeps at least this many row changes. A reader that is further behind reads all rows. */
const KEPT_CHANGES = 65_536;

/** The changed rows, in the order of the changes. Each reader keeps its own position. */
class ChangeLog {
  #rows: number[] = [];
  #before = 0;

  /** The position of a reader that has read all changes. */
  get length(): number {
    return this.#before + this.#rows.length;
  }

  add(row: number): void {
    this.#rows.push(row);
    if (this.#rows.length < 2 * KEPT_CHANGES) return;
    this.#before += KEPT_CHANGES;
    this.#rows = this.#rows.slice(KEPT_CHANGES);
  }

  /** The rows changed since `position`; `null` if the log no longer has all of them. */
  since(position: number): readonly number[] | null {
    return position < this.#before ? null : this.#rows.slice(position - this.#before);
  }
}
