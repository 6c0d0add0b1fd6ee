import type { Instant } from "../../../../src/engine/model/units.ts";

/**
 * Arrival time of the heads being emitted. Node reads many frames at once and emits their heads one after the other, so
 * the first of fifty would delay the last by milliseconds; all heads emitted in one go get the first one's time.
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
}
