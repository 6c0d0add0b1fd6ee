import { evictOldest } from "../../../../src/engine/model/evict-oldest.ts";
import type { Instant, Milliseconds } from "../../../../src/engine/model/units.ts";

/** A request within this time of a silent close shows that the client trusts our certificate. */
const NEARBY: Milliseconds = 10_000;
/** Default; not from a specification. Pairs of client and host that are remembered. */
const MOST_VISITS = 2_000;
/** Default; not from a specification. Each pending close retains a connection's head, 64 KB at most. */
const MOST_CLOSES = 256;

/** One client's visits to one host. */
export interface Visit {
  /** When a request was last read to its end or answered; `null`: never. */
  requestAt: Instant | null;
}

interface Close {
  readonly visit: Visit;
  readonly at: Instant;
  readonly record: () => void;
}

/**
 * Tells spare connections from clients that may distrust our certificate. Both close without a request and without an
 * alert, but a client that trusts us completes a request on another connection. So a close is recorded after 10 s, and
 * only if no request arrived near it.
 */
export class Visits {
  readonly #visits = new Map<string, Visit>();
  /** Oldest first. */
  #closes: Close[] = [];

  /** `client`: its address and what distinguishes it from others there. */
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

  /** Calls `record` once no request arrived within `NEARBY`. */
  closed(visit: Visit, at: Instant, record: () => void): void {
    if (this.isKnown(visit, at)) return;
    this.#closes.push({ visit, at, record });
    if (this.#closes.length > MOST_CLOSES) this.#closes.shift()?.record();
  }

  /** Call it about once a second. */
  expire(now: Instant): void {
    const due = this.#closes.filter(({ at }) => now - at > NEARBY);
    if (due.length === 0) return;
    this.#closes = this.#closes.filter(({ at }) => now - at <= NEARBY);
    for (const { visit, at, record } of due) if ((visit.requestAt ?? 0) < at) record();
  }

  /** Records pending closes, except those with a request nearby; nothing more will arrive. */
  close(): void {
    const waiting = this.#closes;
    this.#closes = [];
    for (const { visit, at, record } of waiting) if ((visit.requestAt ?? 0) < at) record();
  }
}
