import type { Bytes, Instant, Milliseconds } from "../../../../../src/engine/model/units.ts";
import type { ExchangeEmitter } from "../relay/exchange-emitter.ts";

/** A row ends once no further request was refused for this long. */
const QUIET: Milliseconds = 2_000;
/** A row ends after this time, even if requests are still refused. */
const LONGEST: Milliseconds = 600_000;

/** In each period of this length, so many unreadable requests have rows of their own. */
const PERIOD: Milliseconds = 10_000;
const MOST_SHOWN = 20;

/** The most names that a row tells, and the most characters of each. */
const MOST_NAMES = 10;
const LONGEST_NAME = 100;

/** The most bytes that a row shows of its first request's target, and of its head. */
export const REFUSED_TARGET: Bytes = 256;
export const REFUSED_HEAD: Bytes = 2_048;

export interface Refusal {
  /** Why they are refused, as a sentence without text of a peer, so that there are few. */
  readonly reason: string;
  /** The status of the response; `null` if the client got none. */
  readonly status: number | null;
}

interface Row {
  readonly refusal: Refusal;
  readonly emitter: Pick<ExchangeEmitter, "ended">;
  readonly first: Instant;
  last: Instant;
  count: number;
  /** The servers that the requests asked for. */
  readonly names: Set<string>;
  hasMoreNames: boolean;
}

/**
 * The rows of refused requests, which any web page can provoke (docs/security.md S16). Requests that are refused for
 * one reason share a row, which ends with their number.
 */
export class Refusals {
  readonly #rows = new Map<string, Row>();
  #shown = { since: Number.NEGATIVE_INFINITY, count: 0 };

  /**
   * Counts a refused request. `begin` starts a row; it is called if no row for the reason is open. `name`: the host
   * that the request asked for; `null` if it named none.
   */
  add(refusal: Refusal, at: Instant, begin: () => Row["emitter"], name: string | null = null): void {
    const known = this.#rows.get(refusal.reason);
    const fresh = () => ({ refusal, emitter: begin(), first: at, names: new Set<string>(), hasMoreNames: false });
    const row = known ?? { ...fresh(), last: at, count: 0 };
    if (known === undefined) this.#rows.set(refusal.reason, row);
    row.last = at;
    row.count += 1;
    const shown = name?.slice(0, LONGEST_NAME) ?? null;
    if (shown === null || row.names.has(shown)) return;
    if (row.names.size < MOST_NAMES) row.names.add(shown);
    else row.hasMoreNames = true;
  }

  /** Whether an unreadable request may have a row of its own. Clients with a wrong setting make few of them. */
  mayShow(at: Instant): boolean {
    if (at - this.#shown.since > PERIOD) this.#shown = { since: at, count: 0 };
    this.#shown.count += 1;
    return this.#shown.count <= MOST_SHOWN;
  }

  /** Ends the rows that are due. Call this about once a second. */
  expire(now: Instant): void {
    for (const row of this.#rows.values()) if (now - row.last > QUIET || now - row.first > LONGEST) this.#end(row);
  }

  /** Ends all rows. */
  close(): void {
    this.expire(Number.POSITIVE_INFINITY as Instant);
  }

  #end({ refusal, emitter, first, last, count, names, hasMoreNames }: Row): void {
    this.#rows.delete(refusal.reason);
    const seconds = Math.ceil((last - first) / 1_000);
    const counted =
      count === 1 ? "" : ` ${count} such requests came within ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
    const named = names.size === 0 ? "" : ` Asked for: ${[...names].join(", ")}${hasMoreNames ? ", and others" : ""}.`;
    const detail = refusal.reason + counted + named;
    emitter.ended(last, { kind: "failed", errorType: "request-refused", detail, status: refusal.status });
  }
}
