import { evictOldest } from "../../../../src/engine/model/evict-oldest.ts";
import type { Instant, Milliseconds } from "../../../../src/engine/model/units.ts";

/** A request within this time before or after a silent close shows that the client trusts our certificate. */
const NEARBY: Milliseconds = 10_000;
/** Default; not from a specification: the most pairs of client and host that are remembered. */
const MOST_VISITS = 2_000;
/**
 * Default; not from a specification: the most closes that wait. Each keeps a connection's head in memory, at most 64
 * KB.
 */
const MOST_CLOSES = 256;

/** One client's visits to one host. */
export interface Visit {
  /** When a request was last read to its end or got its response; `null` if never. */
  requestAt: Instant | null;
}

interface Close {
  readonly visit: Visit;
  readonly at: Instant;
  readonly record: () => void;
}

/**
 * Distinguishes connections opened in reserve from clients that perhaps do not trust our certificate. Both close
 * without a request and without an alert, but a client that trusts us completes a request on another connection. So a
 * close is recorded after 10 s, and only if there was no such request within 10 s.
 */
export class Visits {
  readonly #visits = new Map<string, Visit>();
  /** The closes that wait, the oldest first. */
  #closes: Close[] = [];

  /**
   * The visits of a client to a host. `client`: the client's address, and what distinguishes it from other clients at
   * this address.
   */
  of(client: string, host: string): Visit {
    const key = `${host} ${client}`;
    const visit = this.#visits.get(key) ?? { requestAt: null };
    this.#visits.delete(key);
    this.#visits.set(key, visit);
    evictOldest(this.#visits, MOST_VISITS);
    return visit;
  }

  /** Whether the client is known to trust our certificate at the time `at`. */
  isKnown({ requestAt }: Visit, at: Instant): boolean {
    return requestAt !== null && at - requestAt <= NEARBY;
  }

  /** Calls `record` if no request arrives within `NEARBY`. */
  closed(visit: Visit, at: Instant, record: () => void): void {
    if (this.isKnown(visit, at)) return;
    this.#closes.push({ visit, at, record });
    if (this.#closes.length > MOST_CLOSES) this.#closes.shift()?.record();
  }

  /** Records the closes that are due. Call this about once a second. */
  expire(now: Instant): void {
    const due = this.#closes.filter(({ at }) => now - at > NEARBY);
    if (due.length === 0) return;
    this.#closes = this.#closes.filter(({ at }) => now - at <= NEARBY);
    for (const { visit, at, record } of due) if ((visit.requestAt ?? 0) < at) record();
  }

  /** Records the waiting closes at once, except those with a request nearby: no further request will arrive. */
  close(): void {
    const waiting = this.#closes;
    this.#closes = [];
    for (const { visit, at, record } of waiting) if ((visit.requestAt ?? 0) < at) record();
  }
}
