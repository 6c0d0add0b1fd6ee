import { isOversized, leastOversized } from "../insights/oversized-responses.ts";
import { slowCauseOf, slowLimitOf, slowRequestOf } from "../insights/slow-requests.ts";
import type { SlowCause, SlowRecord } from "../messages/latency-messages.ts";
import { type Phase, phasesOf } from "../model/phases.ts";
import type { Settings } from "../model/settings.ts";
import type { Bytes, Milliseconds } from "../model/units.ts";
import type { Session } from "./session.ts";

const CAUSES: Readonly<Record<Phase, SlowCause>> = {
  dns: "connection",
  connect: "connection",
  tls: "connection",
  ttfb: "server",
  transfer: "transfer",
};

/** What is slow and what is oversized in a session as it stands now: good for one answer. */
export class Judge {
  readonly #session: Session;
  readonly #settings: Settings;
  /** By the endpoint's number; looked up once. */
  readonly #limits: (Milliseconds | undefined)[] = [];
  /** Likewise. */
  readonly #leastOversizedOf: (Bytes | undefined)[] = [];

  constructor(session: Session, settings: Settings) {
    this.#session = session;
    this.#settings = settings;
  }

  isSlow(row: number): boolean {
    const { table } = this.#session;
    if (!table.countsAt(row)) return false;
    return table.latencyAt(row) > this.slowLimit(table.endpoint.at(row));
  }

  /** The latency above which requests of an endpoint (by its number) are slow; infinite where none is. */
  slowLimit(endpoint: number): Milliseconds {
    const known = this.#limits[endpoint];
    if (known !== undefined) return known;
    const tally = this.#session.tallies[endpoint - 1];
    const limit = tally === undefined ? null : slowLimitOf(tally, this.#settings.fixedThreshold);
    this.#limits[endpoint] = limit ?? Number.POSITIVE_INFINITY;
    return limit ?? Number.POSITIVE_INFINITY;
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
    const known = this.#leastOversizedOf[endpoint];
    if (known !== undefined) return known;
    const tally = this.#session.tallies[endpoint - 1];
    const least = tally === undefined ? Number.POSITIVE_INFINITY : leastOversized(tally.payload, this.#settings);
    this.#leastOversizedOf[endpoint] = least;
    return least;
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
