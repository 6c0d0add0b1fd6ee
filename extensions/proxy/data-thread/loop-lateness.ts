import type { ExchangeEnded } from "../../../src/engine/capture/event.ts";
import { hasOneOf, type Tag, UNCERTAIN_FROM, UNTIMED_TAGS } from "../../../src/engine/model/exchange.ts";
import type { Instants } from "../../../src/engine/model/phases.ts";
import type { ExchangeId, Instant, Milliseconds } from "../../../src/engine/model/units.ts";

/**
 * The interval of measurements. While exchanges are in flight, measuring takes some
 * 2 % of a core.
 */
export const INTERVAL: Milliseconds = 5;

/** How many late moments are kept. The oldest are dropped. */
const MOST_MOMENTS = 64;

/**
 * A period in which a callback blocked the thread. Bytes that arrived during the period were read up to `by` ms late.
 */
interface LateMoment {
  readonly from: Instant;
  readonly to: Instant;
  readonly by: Milliseconds;
}

/**
 * Measures with a timer how late this thread's event loop is while exchanges are in flight. Instants are taken in
 * callbacks, which may run later than the bytes arrive.
 *
 *   tick ── tick ──────── busy ────────── tick ── tick
 *           └──────── late moment ────────┘
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

  /** Starts measuring for an exchange. Ignores streams and tunnels, since their times are no latencies. */
  exchangeStarted(id: ExchangeId, tags: readonly Tag[]): void {
    if (hasOneOf(tags, UNTIMED_TAGS)) return;
    this.#inFlight.add(id);
    if (this.#timer !== null) return;
    this.#last = this.#now();
    this.#timer = setInterval(() => this.tick(), INTERVAL).unref();
  }

  /**
   * Ends measuring for the exchange. Returns the most ms by which its instants may be late, rounded up; 0 if no late
   * moment concerns them.
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

  /** The period since the last tick, if the next tick is overdue by `UNCERTAIN_FROM` or more; else `null`. */
  #momentUntil(now: Instant): LateMoment | null {
    const by = now - this.#last;
    return by - INTERVAL < UNCERTAIN_FROM ? null : { from: this.#last, to: now, by };
  }

  #uncertaintyOf(instants: Instants, end: Instant): Milliseconds {
    let most = 0;
    const see = ({ from, to, by }: LateMoment): void => {
      // Bytes that arrived in the period are read just after the tick at `to`. So instants up to `INTERVAL` after `to`
      // count too.
      if (by > most && isWithin(instants, end, from, to + INTERVAL)) most = by;
    };
    for (const moment of this.#moments) if (moment.to >= instants.startTime - INTERVAL) see(moment);
    const running = this.#timer === null ? null : this.#momentUntil(end);
    if (running !== null) see(running);
    return Math.ceil(most);
  }
}

/** Whether one of the instants, or `end`, is in the period from `from` to `to`. */
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
