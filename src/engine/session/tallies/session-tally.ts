import type { ResponseStarted } from "../../capture/event.ts";
import { addTo } from "../../insights/grouped.ts";
import { isTemplate, type PathTemplates } from "../../insights/path-templates.ts";
import { type Endpoint, operationIn, partsOf, pathOf } from "../../model/endpoint.ts";
import {
  type Exchange,
  hasFailed,
  hasOneOf,
  isLasting,
  streamTagOf,
  timedLatencyOf,
  UNCOUNTED_TAGS,
} from "../../model/exchange.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../../model/units.ts";
import type { CountedRest } from "../../stats/endpoint-tally.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";
import { EndpointNames } from "../table/interned.ts";
import { EndpointKeys, EndpointTallies } from "./endpoint-tallies.ts";
import { SummaryTally } from "./summary-tally.ts";

/**
 * Templates are learned again once at least `LEARNT_AFTER` endpoints are new. These must also be at least the share
 * `LEARNT_AFTER_SHARE` of all endpoints.
 */
const LEARNT_AFTER = 20;
const LEARNT_AFTER_SHARE = 0.1;

/**
 * The tallies of a session, of all exchanges and by endpoint. An exchange is counted when it ends, a stream when it
 * opens (`openStreamOf`). A parameter `row` is `null` if the row was evicted.
 */
export class SessionTally {
  readonly summary = new SummaryTally();
  readonly #table: ExchangeTable;
  readonly #open = new Map<ExchangeId, OpenStream>();
  #endpoints: EndpointTallies;
  #keys: EndpointKeys;
  /** The numbers of endpoints whose tallies await `recount`. */
  readonly #stale = new Set<number>();
  /** How many endpoints there were when templates were last learned. */
  #learntFrom = 1;

  /** `templates`: `null` if every path is shown by itself. */
  constructor(table: ExchangeTable, templates: PathTemplates | null) {
    this.#table = table;
    this.#endpoints = new EndpointTallies(table.endpoints);
    this.#keys = new EndpointKeys(templates);
  }

  /** `null` if every path is shown by itself. */
  get templates(): PathTemplates | null {
    return this.#keys.templates;
  }

  get endpoints(): EndpointTallies {
    return this.#endpoints;
  }

  /** As `EndpointKeys.poolsOperations`. */
  get poolsOperations(): boolean {
    return this.#keys.poolsOperations;
  }

  keyOf({ endpoint }: Exchange): Endpoint {
    return this.#keys.of(endpoint);
  }

  /** Counts endpoints under other templates. Splits templates that no longer apply. */
  regroup(templates: PathTemplates | null): void {
    const open = this.#openStreams();
    this.#keys = new EndpointKeys(templates, this.#keys);
    this.#regroup(open, () => true);
  }

  /**
   * Whether `learn` may change anything: there are enough new endpoints, or a path segment that a template folds has
   * become frequent.
   */
  get mayLearn(): boolean {
    if (this.templates === null) return false;
    const { size } = this.#table.endpoints;
    const isGrown = size - this.#learntFrom >= Math.max(LEARNT_AFTER, size * LEARNT_AFTER_SHARE);
    return isGrown || this.#keepsFrequent;
  }

  /**
   * Whether `learn` gives frequent path segments, which a template folds so far, endpoints of their own. `false` once a
   * row was evicted, since evicted exchanges cannot be counted again.
   */
  get #keepsFrequent(): boolean {
    return this.templates?.hasFrequent === true && this.#table.firstRow === 0;
  }

  /** Learns templates from the endpoints so far and folds their paths. Returns whether anything changed. */
  learn(): boolean {
    const { templates } = this;
    if (templates === null) return false;
    const open = this.#openStreams();
    const keeps = this.#keepsFrequent;
    const mayFallApart = keeps ? templates.keepFrequent() : () => false;
    const isChange = templates.learn(this.#paths()) || keeps;
    if (isChange) {
      this.#keys.changed();
      this.#regroup(open, mayFallApart);
    }
    this.#learntFrom = this.#table.endpoints.size;
    return isChange;
  }

  requestStarted(exchange: Exchange): void {
    const counts = countsIn(exchange);
    this.summary.requestStarted(exchange.instants.startTime, counts);
    if (counts) this.templates?.requested(exchange.origin, pathOf(exchange.target));
  }

  responseStarted(exchange: Exchange, event: ResponseStarted, row: number | null): void {
    const stream = countsIn(exchange) ? openStreamOf(exchange, event) : null;
    // After a crash of the engine thread, events may come twice.
    if (stream === null || this.#open.has(exchange.id)) return;
    this.#open.set(exchange.id, stream);
    this.#endpoints.changed(this.#numberOf(exchange, row))?.begin(stream.protocol);
    this.summary.count(stream.at);
  }

  exchangeEnded(exchange: Exchange, row: number | null): void {
    if (!countsIn(exchange)) return;
    const stream = this.#open.get(exchange.id);
    // The operation is known only now. A stream stays at the endpoint for which it was counted when it opened.
    if (row !== null && stream === undefined && operationIn(exchange.endpoint) !== null)
      this.#table.setEndpoint(row, this.keyOf(exchange));
    const number = this.#numberOf(stream ?? exchange, row);
    const at = stream?.at ?? exchange.endTime ?? exchange.instants.startTime;
    if (stream === undefined) {
      this.summary.count(at);
      this.#endpoints.changed(number)?.record(exchange);
    } else this.#endpoints.changed(number)?.exchangeEnded(exchange);
    this.summary.record(exchange, at);
    if (row === null) this.#endpoints.changed(number)?.rowEvicted(timedLatencyOf(exchange));
    this.#open.delete(exchange.id);
  }

  /**
   * Takes ended exchanges out of the figures, whose `rows` the table hides already; call `recount` after the last ones.
   * What they have taught of similar paths stays.
   */
  remove(rows: readonly number[]): void {
    const table = this.#table;
    const byEndpoint = new Map<number, Exchange[]>();
    const counted: (readonly [Exchange, Instant])[] = [];
    for (const row of rows) {
      const exchange = table.exchangeAt(row);
      if (!countsIn(exchange)) continue;
      counted.push([exchange, countedAtOf(exchange)]);
      addTo(byEndpoint, table.endpoint.at(row), exchange);
    }
    this.summary.remove(counted, table.firstRow === 0 ? table.earliestStart() : this.summary.start);
    for (const [number, exchanges] of byEndpoint)
      if (this.#endpoints.changed(number)?.remove(exchanges) === true) this.#stale.add(number);
  }

  /** Counts again what `remove` could not take back, by reading the table once. */
  recount(): void {
    const table = this.#table;
    const stale = new Map<number, number[]>();
    for (const number of this.#stale) stale.set(number, []);
    this.#stale.clear();
    // Of evicted exchanges, too little is known to count them again.
    if (stale.size === 0 || table.firstRow > 0) return;
    for (let row = 0; row < table.nextRow; row += 1) {
      const left = stale.get(table.endpoint.at(row));
      if (left !== undefined && table.countsAt(row)) left.push(row);
    }
    for (const [number, left] of stale) this.#endpoints.changed(number)?.recount(restOf(table, left));
  }

  /** Counts ended exchanges again, which `remove` has taken out. */
  restore(rows: readonly number[]): void {
    for (const row of rows) {
      const exchange = this.#table.exchangeAt(row);
      this.summary.requestStarted(exchange.instants.startTime, countsIn(exchange));
      if (!countsIn(exchange)) continue;
      const at = countedAtOf(exchange);
      this.summary.count(at);
      this.#endpoints.changed(this.#table.endpoint.at(row))?.record(exchange);
      this.summary.record(exchange, at);
    }
  }

  /** Records that a row is about to be evicted; its figures stay. A row in flight is counted when its exchange ends. */
  rowEvicted(row: number): void {
    const table = this.#table;
    if (!table.countsAt(row)) return;
    const latency: Milliseconds = table.latencyAt(row);
    this.#endpoints.changed(table.endpoint.at(row))?.rowEvicted(Number.isNaN(latency) ? null : latency);
  }

  /** Records the decoded body size of an ended exchange. */
  bodyDecoded(exchange: Exchange, size: Bytes, row: number): void {
    if (countsIn(exchange)) this.#endpoints.changed(this.#table.endpoint.at(row))?.recordDecoded(exchange, size);
  }

  /** Records that an ended exchange turned out to have failed. `exchange`: as it was before. */
  failed(exchange: Exchange, row: number): void {
    if (!countsIn(exchange) || hasFailed(exchange)) return;
    this.#endpoints.changed(this.#table.endpoint.at(row))?.failed();
    this.summary.failed(countedAtOf(exchange));
  }

  /** The open streams, each with its endpoint's number. */
  #openStreams(): readonly (readonly [OpenStream, number])[] {
    return Array.from(this.#open.values(), (stream) => [stream, this.#numberOf(stream, null)] as const);
  }

  #regroup(open: readonly (readonly [OpenStream, number])[], mayFallApart: TemplateTest): void {
    const { tallies, recounted } = regroup(this.#table, this.#endpoints, this.#keys, mayFallApart);
    this.#endpoints = tallies;
    for (const [stream, before] of open) {
      if (recounted.has(before)) tallies.changed(this.#numberOf(stream, null))?.begin(stream.protocol);
    }
  }

  *#paths(): Generator<{ readonly origin: string; readonly path: string; readonly requests: number }> {
    for (const tally of this.#endpoints.counted()) {
      const { origin, path } = partsOf(tally.endpoint);
      yield { origin, path, requests: tally.requests };
    }
  }

  #numberOf({ endpoint }: Pick<Exchange, "endpoint">, row: number | null): number {
    return row === null ? this.#table.endpoints.numberOf(this.#keys.of(endpoint)) : this.#table.endpoint.at(row);
  }
}

/** The exchanges at these rows, read by column. */
function restOf(table: ExchangeTable, rows: readonly number[]): CountedRest {
  return {
    forEachResponse: (visit) => {
      for (const row of rows)
        if (table.isSizeSampleAt(row)) visit(table.ids.at(row) as ExchangeId, table.encodedBodySize.at(row));
    },
    protocols: () => {
      const numbers = new Set(rows.map((row) => table.protocol.at(row)));
      return Array.from(numbers, (number) => table.texts.textAt(number) ?? "");
    },
  };
}

/** When an ended exchange was counted: a stream that was accepted, when it opened. */
function countedAtOf({ tags, outcome, instants, endTime }: Exchange): Instant {
  const status = outcome?.status ?? null;
  const isStream = instants.responseStart !== null && status !== null && status < 400 && isLasting(tags, status);
  return (isStream ? instants.responseStart : endTime) ?? instants.startTime;
}

function countsIn(exchange: Exchange): boolean {
  return !hasOneOf(exchange.tags, UNCOUNTED_TAGS);
}

/**
 * A WebSocket, another upgraded protocol, or a response with the media type of a stream, before it has ended. It is
 * counted when it opens, since its end may be hours away. A response that is recognized as a stream only while it
 * arrives is counted at its end:
 *
 *   request-started ─ response-started (counts a request) ─ … ─ exchange-ended (counts an error, sizes)
 */
interface OpenStream {
  /** The endpoint made from the exchange's own path instead of a template. */
  readonly endpoint: Endpoint;
  readonly protocol: string;
  /** When the stream was counted. */
  readonly at: Instant;
}

/** The open stream; `null` for other responses and for a refused upgrade, which are counted when they end. */
function openStreamOf(exchange: Exchange, { at, status }: ResponseStarted): OpenStream | null {
  const { endpoint, protocol, contentType, tags } = exchange;
  const lasts = streamTagOf(contentType) !== null || isLasting(tags, status);
  return lasts && status < 400 ? { endpoint, protocol, at } : null;
}

type TemplateTest = (origin: string, template: string) => boolean;

/** The tallies under other keys, and the old numbers of endpoints whose rows were counted again. */
interface Regrouped {
  readonly tallies: EndpointTallies;
  readonly recounted: ReadonlySet<number>;
}

/**
 * Counts a session's endpoints under other keys, and gives the rows their new numbers. Endpoints with the same key are
 * merged, including their evicted exchanges. `mayFallApart`: selects templates to check; if a row of such a template
 * gets another key, all of the template's rows in the table are counted again.
 */
function regroup(
  table: ExchangeTable,
  before: EndpointTallies,
  keys: EndpointKeys,
  mayFallApart: TemplateTest,
): Regrouped {
  const endpoints = new EndpointNames(table.endpoints.most);
  const tallies = new EndpointTallies(endpoints);
  const recounted = fallenApart(table, keys, mayFallApart);
  const numbers = new Uint32Array(table.endpoints.size);
  for (let old = 1; old < table.endpoints.size; old += 1) {
    if (recounted.has(old)) continue;
    const number = endpoints.numberOf(keys.of(table.endpoints.textAt(old) as Endpoint));
    numbers[old] = number;
    const tally = before.at(old);
    if (tally !== null) tallies.absorb(number, tally);
  }
  table.rekey(endpoints, (row, old) => {
    if (!recounted.has(old)) return numbers[old] as number;
    const number = endpoints.numberOf(keys.of(table.literalAt(row)));
    if (table.countsAt(row)) tallies.changed(number)?.record(table.exchangeAt(row));
    return number;
  });
  return { tallies, recounted };
}

/** The templates with at least one row that no longer belongs to them. */
function fallenApart(table: ExchangeTable, keys: EndpointKeys, mayFallApart: TemplateTest): Set<number> {
  const split = new Set<number>();
  const templates = new Map<number, Endpoint>();
  for (let number = 1; number < table.endpoints.size; number += 1) {
    const endpoint = table.endpoints.textAt(number) as Endpoint;
    const { origin, path } = partsOf(endpoint);
    if (isTemplate(path) && mayFallApart(origin, path)) templates.set(number, endpoint);
  }
  if (templates.size === 0) return split;
  for (let row = table.firstRow; row < table.nextRow; row += 1) {
    const number = table.endpoint.at(row);
    const template = templates.get(number);
    if (template !== undefined && !split.has(number) && keys.of(table.literalAt(row)) !== template) split.add(number);
  }
  return split;
}
