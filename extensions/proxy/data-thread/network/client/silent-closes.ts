import { evictOldest } from "../../../../../src/engine/model/evict-oldest.ts";
import type { Instant, Milliseconds } from "../../../../../src/engine/model/units.ts";

/** A request within this time before or after a silent close shows that the client trusts our certificate. */
const NEARBY: Milliseconds = 10_000;
/** The most pairs of client and host that are remembered. */
const MOST_PAIRS = 2_000;
/** The most closes that wait to be recorded. Each keeps the head of its CONNECT in memory, up to 128 KB. */
const MOST_CLOSES = 256;

export interface ClientHostPair {
  /** When a request was last read to its end or got its response; `null` if never. */
  requestAt: Instant | null;
}

interface Close {
  readonly pair: ClientHostPair;
  readonly at: Instant;
  readonly record: () => void;
}

/**
 * Some connections close without a request and without an alert. Either the client opened them in reserve, or it may
 * not trust our certificate. A client that trusts the certificate completes a request on another connection. So a close
 * is recorded after 10 s, unless such a request came within 10 s before or after.
 */
export class SilentCloses {
  readonly #pairs = new Map<string, ClientHostPair>();
  /** Closes that wait to be recorded, the oldest first. */
  #closes: Close[] = [];

  /** The pair of `client` and `host`. `client` must distinguish clients at the same address. */
  pairOf(client: string, host: string): ClientHostPair {
    const key = `${host} ${client}`;
    const pair = this.#pairs.get(key) ?? { requestAt: null };
    this.#pairs.delete(key);
    this.#pairs.set(key, pair);
    evictOldest(this.#pairs, MOST_PAIRS);
    return pair;
  }

  /** Whether the client is known to trust our certificate at the time `at`. */
  isKnown({ requestAt }: ClientHostPair, at: Instant): boolean {
    return requestAt !== null && at - requestAt <= NEARBY;
  }

  /**
   * Calls `record` after `NEARBY`, or earlier if too many closes wait. Does not call it if a request comes within
   * `NEARBY` before or after `at`.
   */
  closed(pair: ClientHostPair, at: Instant, record: () => void): void {
    if (this.isKnown(pair, at)) return;
    this.#closes.push({ pair, at, record });
    if (this.#closes.length > MOST_CLOSES) this.#closes.shift()?.record();
  }

  /** Records the closes that are due. Call this about once a second. */
  expire(now: Instant): void {
    const due = this.#closes.filter(({ at }) => now - at > NEARBY);
    if (due.length === 0) return;
    this.#closes = this.#closes.filter(({ at }) => now - at <= NEARBY);
    for (const { pair, at, record } of due) if ((pair.requestAt ?? 0) < at) record();
  }

  /** Records all waiting closes that no request has followed. Call this when no further request can arrive. */
  close(): void {
    this.expire(Number.POSITIVE_INFINITY as Instant);
  }
}
