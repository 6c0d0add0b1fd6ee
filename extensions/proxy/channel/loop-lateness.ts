import type { ExchangeEnded } from "../../../src/engine/capture/event.ts";
import { hasOneOf, type Tag, UNCERTAIN_FROM, UNTIMED_TAGS } from "../../../src/engine/model/exchange.ts";
import type { Instants } from "../../../src/engine/model/phases.ts";
import type { ExchangeId, Instant, Milliseconds } from "../../../src/engine/model/units.ts";

/**
 * Default; not from a specification: how often the loop is measured. While a server is awaited this takes some 2 % of a
 * core.
 */
export const INTERVAL: Milliseconds = 5;

/** Default; not from a specification: the most late moments that are kept. */
const MOST_MOMENTS = 64;

/** A time in which one callback blocked the thread: bytes that arrived in it were read up to `by` ms too late. */
interface LateMoment {
  readonly from: Instant;
  readonly to: Instant;
  readonly by: Milliseconds;
}

/**
 * Measures by a timer how late this thread's event loop is while exchanges are in flight: an instant is read when a
 * callback runs, which may be later than the bytes arrived.
 *
 *   tick ── tick ──────── busy ────────── tick ── tick       from the last tick on time to the late one
 */
export class LoopLateness {
  readonly #now: () => Instant;
  readonly #inFlight = new Set<ExchangeId>();
  #timer: NodeJS.Timeout | null = null;
  #last: Instant;
  readonly #moments: LateMoment[] = [];

  constructor(now: () => Instant) {
    this.#now = now;
    this.#last = now();
  }

  /** Starts measuring for an exchange. Streams are left out, since their times are no latencies. */
  exchangeStarted(id: ExchangeId, tags: readonly Tag[]): void {
    if (hasOneOf(tags, UNTIMED_TAGS)) return;
    this.#inFlight.add(id);
    if (this.#timer !== null) return;
    this.#last = this.#now();
    this.#timer = setInterval(() => this.tick(), INTERVAL).unref();
  }

  /**
   * Ends measuring for the exchange. Returns by how many ms its instants may be late at most, rounded up; 0 if below
   * `UNCERTAIN_FROM`.
   */
  exchangeEnded({ id, instants, at }: Pick<ExchangeEnded, "id" | "instants" | "at">): Milliseconds {
    const uncertainty = this.#uncertaintyOf(instants, at);
    this.#inFlight.delete(id);
    if (this.#inFlight.size === 0) this.stop();
    return uncertainty;
  }

  /** Called by the timer. Stores the time since the last tick if this tick is late. */
  tick(): void {
    const now = this.#now();
    const moment = this.#momentUntil(now);
    if (moment !== null) this.#moments.push(moment);
    if (this.#moments.length > MOST_MOMENTS) this.#moments.shift();
    this.#last = now;
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** The time since the last tick, if the next one is overdue; else `null`. */
  #momentUntil(now: Instant): LateMoment | null {
    const by = now - this.#last;
    return by - INTERVAL < UNCERTAIN_FROM ? null : { from: this.#last, to: now, by };
  }

  #uncertaintyOf(instants: Instants, end: Instant): Milliseconds {
    let most = 0;
    const see = ({ from, to, by }: LateMoment): void => {
      // Bytes that arrived in that time are read right after the late tick.
      if (by > most && isWithin(instants, end, from, to + INTERVAL)) most = by;
    };
    for (const moment of this.#moments) if (moment.to >= instants.startTime - INTERVAL) see(moment);
    const running = this.#timer === null ? null : this.#momentUntil(end);
    if (running !== null) see(running);
    return Math.ceil(most);
  }
}

/** Whether one of the instants is between `from` and `to`. */
function isWithin(at: Instants, end: Instant, from: number, to: number): boolean {
  const holds = (instant: Instant | null) => instant !== null && instant >= from && instant <= to;
  return (
    holds(at.startTime) ||
    holds(at.headReceived) ||
    holds(at.domainLookupStart) ||
    holds(at.domainLookupEnd) ||
    holds(at.connectStart) ||
    holds(at.secureConnectionStart) ||
    holds(at.connectEnd) ||
    holds(at.requestStart) ||
    holds(at.requestEnd) ||
    holds(at.responseStart) ||
    holds(at.responseForwarded) ||
    holds(at.responseEnd) ||
    holds(end)
  );
}
