import { isOversized, leastOversized } from "../insights/oversized-responses.ts";
import { slowCauseOf, slowLimitOf, slowRequestOf } from "../insights/slow-requests.ts";
import type { SlowCause, SlowRecord } from "../messages/latency-messages.ts";
import { type Phase, phasesOf } from "../model/phases.ts";
import type { Settings } from "../model/settings.ts";
import type { Bytes, Milliseconds } from "../model/units.ts";
import { EndpointNumbers } from "./endpoint-numbers.ts";
import type { Session } from "./session.ts";

const CAUSES: Readonly<Record<Phase, SlowCause>> = {
  dns: "connection",
  connect: "connection",
  tls: "connection",
  ttfb: "server",
  transfer: "transfer",
};

/** What is slow and what is oversized in a session as it stands now. Good while the session counts the same endpoints. */
export class Judge {
  readonly #session: Session;
  readonly #settings: Settings;
  readonly #limits: EndpointNumbers;
  readonly #slowCounts: EndpointNumbers;
  readonly #leastOversized: EndpointNumbers;

  constructor(session: Session, settings: Settings) {
    this.#session = session;
    this.#settings = settings;
    this.#limits = new EndpointNumbers(session, (endpoint) => {
      return slowLimitOf(session.tallies.atWithRow(endpoint), settings.fixedThreshold) ?? Number.POSITIVE_INFINITY;
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

  /** The latency above which requests of an endpoint (by its number) are slow; infinite where none is. */
  slowLimit(endpoint: number): Milliseconds {
    return this.#limits.at(endpoint);
  }

  /** How many requests of an endpoint (by its number) are slow and still in the list. */
  slowCount(endpoint: number): number {
    return this.#slowCounts.at(endpoint);
  }

  /** The same of each, by its number. Good until the session changes. */
  slowCounts(): Float64Array {
    return this.#slowCounts.all();
  }

  /** Of all endpoints together. */
  get slowTotal(): number {
    const counts = this.slowCounts();
    let sum = 0;
    for (let endpoint = 1; endpoint < counts.length; endpoint += 1) sum += counts[endpoint] as number;
    return sum;
  }

  isOversized(row: number): boolean {
    const { table } = this.#session;
    const size = table.encodedBodySize.at(row);
    if (size < this.leastOversized(table.endpoint.at(row)) || !table.countsAt(row) || !table.respondedAt(row))
      return false;
    return isOversized(size, this.#session.tallyAt(row).payload, this.#settings);
  }

  /** No response of an endpoint (by its number) that is smaller is oversized; infinite where none is. */
  leastOversized(endpoint: number): Bytes {
    return this.#leastOversized.at(endpoint);
  }

  /** The same of each, by its number. Good until the session changes. */
  leastOversizedOfAll(): Float64Array {
    return this.#leastOversized.all();
  }

  /** What a slow request is to be listed under, should it be one; `null`: under no cause. */
  causeAt(row: number): SlowCause | null {
    const { table } = this.#session;
    const wait = table.waitAt(row);
    const cause = slowCauseOf(phasesOf(table.instants.at(row)), this.#session.tallyAt(row).medians(), wait);
    if (cause !== null) return CAUSES[cause.phase];
    // What is waited for is a connection, or a place on one.
    return wait === null ? null : "connection";
  }

  slowRecord(row: number): SlowRecord | null {
    const { table } = this.#session;
    const latency = table.latencyAt(row);
    if (!table.countsAt(row) || Number.isNaN(latency)) return null;
    return slowRequestOf(table.exchangeAt(row), latency, this.#session.tallyAt(row), this.#settings.fixedThreshold);
  }
}
