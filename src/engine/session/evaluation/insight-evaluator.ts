import { leastOversized } from "../../insights/oversized-responses.ts";
import { slowCauseOf, slowLimitOf, slowRequestOf } from "../../insights/slow-requests.ts";
import type { SlowCause, SlowRecord } from "../../messages/latency-messages.ts";
import { largeUncertaintyOf } from "../../model/exchange.ts";
import type { FindingKind } from "../../model/finding.ts";
import { LEAST_EXCESS, type Phase, phasesOf } from "../../model/phases.ts";
import type { Settings } from "../../model/settings.ts";
import type { Bytes, ExchangeId, Milliseconds } from "../../model/units.ts";
import type { Session } from "../session.ts";
import { Cached } from "./cached.ts";
import type { FoundFindings } from "./found-findings.ts";
import type { FilterInsights } from "./insights.ts";

/** The endpoints whose slow requests are counted in one slice: some 10 ms if each has thousands of requests. */
const COUNTED_AT_ONCE = 50;

const CAUSES: Readonly<Record<Phase, SlowCause>> = {
  dns: "connection",
  connect: "connection",
  tls: "connection",
  ttfb: "server",
  transfer: "transfer",
  weir: "weir",
};

/**
 * Decides by the current figures which requests are slow, which responses are oversized, and which exchanges are in a
 * finding. Valid until endpoints get other numbers (`Session.regroup`, `learn`).
 */
export class InsightEvaluator {
  readonly #session: Session;
  readonly #settings: Settings;
  readonly #limits: EndpointNumbers;
  readonly #usuals: EndpointNumbers;
  readonly #slowCounts: EndpointNumbers;
  readonly #leastOversized: EndpointNumbers;
  readonly #insights: FilterInsights | null;
  #found: { readonly version: number; readonly found: FoundFindings | null } | null = null;

  /** `findings`: `null` if none are searched for. */
  constructor(session: Session, settings: Settings, insights: FilterInsights | null = null) {
    this.#insights = insights;
    this.#session = session;
    this.#settings = settings;
    this.#limits = new EndpointNumbers(session, (endpoint) => {
      return slowLimitOf(session.tallies.atWithRow(endpoint), settings.fixedThreshold) ?? Number.POSITIVE_INFINITY;
    });
    this.#usuals = new EndpointNumbers(session, (endpoint) => {
      const limit = this.slowLimit(endpoint);
      return Math.min(session.tallies.atWithRow(endpoint).figures()?.p50 ?? limit, limit);
    });
    this.#slowCounts = new EndpointNumbers(session, (endpoint) => {
      const limit = this.slowLimit(endpoint);
      if (limit === Number.POSITIVE_INFINITY) return 0;
      return session.tallies.at(endpoint)?.countListedAbove(limit) ?? 0;
    });
    this.#leastOversized = new EndpointNumbers(session, (endpoint) => {
      return leastOversized(session.tallies.atWithRow(endpoint).payload, settings);
    });
  }

  isSlow(row: number): boolean {
    const { table } = this.#session;
    if (!table.countsAt(row)) return false;
    return table.latencyAt(row) > this.slowLimit(table.endpoint.at(row));
  }

  /** The latency above which requests of the endpoint with this number are slow; infinite if none are. */
  slowLimit(endpoint: number): Milliseconds {
    return this.#limits.at(endpoint);
  }

  /**
   * The latency above which the time of a slow request counts as lost: the endpoint's p50, or `slowLimit` if that is
   * lower, or while the endpoint has no p50. So each slow request loses time.
   */
  usualLatency(endpoint: number): Milliseconds {
    return this.#usuals.at(endpoint);
  }

  /** How many slow requests the endpoint with this number has in the table. */
  slowCount(endpoint: number): number {
    return this.#slowCounts.at(endpoint);
  }

  /** Counts the slow requests of the next endpoints, for `slowCounts`; returns `false` if there are more. */
  advanceSlowCounts(): boolean {
    return this.#slowCounts.advance(COUNTED_AT_ONCE);
  }

  /** `slowCount` of each endpoint, by number. Valid until the session changes. */
  slowCounts(): Float64Array {
    return this.#slowCounts.all();
  }

  /** The number of slow requests of all endpoints. */
  get slowTotal(): number {
    const counts = this.slowCounts();
    let sum = 0;
    for (let endpoint = 1; endpoint < counts.length; endpoint += 1) sum += counts[endpoint] as number;
    return sum;
  }

  isOversized(row: number): boolean {
    const { table } = this.#session;
    const isLarge = table.encodedBodySize.at(row) >= this.leastOversized(table.endpoint.at(row));
    return isLarge && table.countsAt(row) && table.isSizeSampleAt(row);
  }

  /** Whether the text is in a body of the row's exchange, among the bodies searched so far. */
  hasInBody(row: number, text: string): boolean {
    return this.#insights?.bodies(text).has(this.#session.table.ids.at(row) as ExchangeId) === true;
  }

  /** Increases when the findings change, or when more bodies were searched. */
  get findingsVersion(): number {
    return this.#insights?.version ?? 0;
  }

  /** Whether a finding of this kind, among those found so far, covers the row's exchange. */
  isInFinding(row: number, kind: FindingKind): boolean {
    const insights = this.#insights;
    if (insights === null) return false;
    const { version } = insights;
    if (this.#found?.version !== version) this.#found = { version, found: insights.ranked().found };
    return this.#found.found?.idsOf(kind).has(this.#session.table.ids.at(row) as ExchangeId) === true;
  }

  /** The size from which responses of the endpoint with this number are oversized; infinite if none are. */
  leastOversized(endpoint: number): Bytes {
    return this.#leastOversized.at(endpoint);
  }

  /** `leastOversized` of each endpoint, by number. Valid until the session changes. */
  leastOversizedOfAll(): Float64Array {
    return this.#leastOversized.all();
  }

  /**
   * The cause of the slow request in this row; `none` if no cause is known. Does not test whether the request is slow.
   */
  causeAt(row: number): SlowCause {
    const { table } = this.#session;
    const uncertainty = largeUncertaintyOf({ uncertainty: table.uncertainty.at(row) });
    const wait = table.waitAt(row);
    const cause = slowCauseOf(
      phasesOf(table.instants.at(row), wait, table.slowed.at(row)),
      this.#session.tallyAt(row).medians(),
      wait,
      uncertainty,
    );
    if (cause !== null) return CAUSES[cause.phase];
    if (uncertainty > 0) return "none";
    // A wait for a connection, or for a stream on a connection, counts as a slow connection.
    return wait === null || wait.to - wait.from < LEAST_EXCESS ? "none" : "connection";
  }

  slowRecord(row: number): SlowRecord | null {
    const { table } = this.#session;
    const latency = table.latencyAt(row);
    if (!table.countsAt(row) || Number.isNaN(latency)) return null;
    const { fixedThreshold } = this.#settings;
    return slowRequestOf(table.exchangeAt(row), latency, this.#session.tallyAt(row), fixedThreshold);
  }
}

/**
 * Caches a value for each endpoint, by the endpoint's number. A value is computed again only after its endpoint
 * changed, since a session can have hundreds of thousands of endpoints. Valid until endpoints get other numbers
 * (`Session.regroup`, `learn`).
 */
export class EndpointNumbers {
  readonly #session: Session;
  readonly #valueOf: (endpoint: number) => number;
  #values = new Float64Array(64);
  /** The endpoint's version at the last computation, plus one; 0 if never computed. */
  #seen = new Uint32Array(64);
  /** How far `advance` came. */
  #advanced = 0;

  constructor(session: Session, tell: (endpoint: number) => number) {
    this.#session = session;
    this.#valueOf = tell;
  }

  at(endpoint: number): number {
    if (endpoint >= this.#values.length) this.#grow();
    const version = this.#session.tallies.versionOf(endpoint) + 1;
    if (this.#seen[endpoint] !== version) {
      this.#values[endpoint] = this.#valueOf(endpoint);
      this.#seen[endpoint] = version;
    }
    return this.#values[endpoint] as number;
  }

  /**
   * Computes the values of the next `most` endpoints; returns `false` if there are more. Goes through all endpoints
   * once, so that `all` has few left to compute.
   */
  advance(most: number): boolean {
    const { last } = this.#session.tallies;
    const end = Math.min(last, this.#advanced + most);
    for (let endpoint = this.#advanced + 1; endpoint <= end; endpoint += 1) this.at(endpoint);
    this.#advanced = end;
    return end >= last;
  }

  /** The values of all endpoints. Index 0 is unused. Valid until the session changes. */
  all(): Float64Array {
    const { last } = this.#session.tallies;
    for (let endpoint = 1; endpoint <= last; endpoint += 1) this.at(endpoint);
    return this.#values.subarray(0, last + 1);
  }

  #grow(): void {
    const room = 2 * (this.#session.tallies.last + 1);
    const [values, seen] = [new Float64Array(room), new Uint32Array(room)];
    values.set(this.#values);
    seen.set(this.#seen);
    this.#values = values;
    this.#seen = seen;
  }
}

/** Counts each endpoint's oversized responses in the table. Counts again only if the session or settings changed. */
export class OversizedCounter {
  readonly #counts = new Cached<Uint32Array>();

  /** The number of oversized responses, by the endpoint's number. */
  counts(session: Session, settings: Settings, evaluator: InsightEvaluator): Uint32Array {
    return this.#counts.of([session, session.revision, settings], () => oversizedCountsOf(session, evaluator));
  }
}

function oversizedCountsOf({ table }: Session, evaluator: InsightEvaluator): Uint32Array {
  const counts = new Uint32Array(table.endpoints.size);
  // Reads all limits at once: most responses are below their limit, and a call for each row would double the time.
  const limits = evaluator.leastOversizedOfAll();
  for (let row = table.firstRow; row < table.nextRow; row += 1) {
    const number = table.endpoint.at(row);
    if (table.encodedBodySize.at(row) < (limits[number] as number) || !evaluator.isOversized(row)) continue;
    counts[number] = (counts[number] ?? 0) + 1;
  }
  return counts;
}
