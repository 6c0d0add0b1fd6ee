import type { Instant, Milliseconds } from "../model/units.ts";

const SECOND: Milliseconds = 1_000;
const MINUTE: Milliseconds = 60_000;
/**
 * The shortest span over which a rate is computed, so that a session's first request does not give a very high rate.
 */
const LEAST_SPAN: Milliseconds = 1_000;
const WINDOW = 60;
/**
 * The number of seconds that have a slot. A request is counted once its head is complete, up to a minute after its
 * start. No newer second may have taken the slot by then.
 */
const KEPT = 2 * WINDOW;

/** Counts the requests that began in each of the last seconds. */
export class RecentStarts {
  readonly #counts = new Uint32Array(KEPT);
  /** For each slot, the second that it counts now. */
  readonly #seconds = new Float64Array(KEPT).fill(Number.NEGATIVE_INFINITY);
  #latest: Instant | null = null;

  add(at: Instant): void {
    if (this.#latest === null || at > this.#latest) this.#latest = at;
    const second = Math.floor(at / SECOND);
    const index = slotOf(second);
    if (second < (this.#seconds[index] as number)) return;
    if (second > (this.#seconds[index] as number)) this.#counts[index] = 0;
    this.#seconds[index] = second;
    this.#counts[index] = (this.#counts[index] as number) + 1;
  }

  /** Takes out a request that `add` counted, unless its second no longer has a slot. */
  remove(at: Instant): void {
    const second = Math.floor(at / SECOND);
    const index = slotOf(second);
    if (this.#seconds[index] === second) this.#counts[index] = Math.max(0, (this.#counts[index] as number) - 1);
  }

  /**
   * Requests per minute, over the last minute, or since the session's start if that is later. Changes only when a
   * request begins or a second has passed, because each change is sent to the windows.
   */
  ratePerMinute(sessionStart: Instant | null, now: Instant): number {
    const second = Math.floor(now / SECOND) * SECOND;
    const asOf = Math.min(now, Math.max(second, this.#latest ?? second)) as Instant;
    const span = Math.min(MINUTE, Math.max(LEAST_SPAN, asOf - (sessionStart ?? asOf)));
    return (this.lastMinute(asOf) * MINUTE) / span;
  }

  /** The number of requests in the minute before `now`. The second at the minute's edge counts in proportion. */
  lastMinute(now: Instant): number {
    const current = Math.floor(now / SECOND);
    const edge = this.#at(current - WINDOW) * (1 - (now / SECOND - current));
    let begun = edge;
    for (let second = current - WINDOW + 1; second <= current; second += 1) begun += this.#at(second);
    return begun;
  }

  #at(second: number): number {
    const index = slotOf(second);
    return this.#seconds[index] === second ? (this.#counts[index] as number) : 0;
  }
}

function slotOf(second: number): number {
  return ((second % KEPT) + KEPT) % KEPT;
}
