import type { Instant } from "../../../../../src/engine/model/units.ts";

/**
 * The arrival time of heads. Node reads many frames at once and emits their heads one after the other, and handling
 * fifty heads takes milliseconds. So all heads of one turn of the event loop get the time of the first.
 */
export class ReadTime {
  readonly #now: () => Instant;
  #at: Instant | null = null;

  constructor(now: () => Instant) {
    this.#now = now;
  }

  read(): Instant {
    if (this.#at !== null) return this.#at;
    setImmediate(() => {
      this.#at = null;
    });
    this.#at = this.#now();
    return this.#at;
  }

  /** Whether `at` was returned by `read` in this turn of the event loop. */
  isOfThisTurn(at: Instant): boolean {
    return this.#at === at;
  }
}
