import type { Instant } from "../../../../src/engine/model/units.ts";

/**
 * When the heads that are being emitted arrived. Node reads many frames at once and emits their heads one after the
 * other, so that handling the first of fifty would delay the last by milliseconds. All heads emitted in one go get the
 * time of the first.
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
