import type { Instant } from "../../../../src/engine/model/units.ts";

/**
 * When the heads came that are being told. Node reads many frames at once and tells of their heads one after the other: what
 * we do about the first of fifty takes milliseconds, which are no part of the last one's way to us. Until the process turns
 * to something else, all heads of a connection came when the first of them was told.
 */
export class ReadTime {
  readonly #now: () => Instant;
  #at: Instant | null = null;

  constructor(now: () => Instant) {
    this.#now = now;
  }

  get at(): Instant {
    if (this.#at !== null) return this.#at;
    setImmediate(() => {
      this.#at = null;
    });
    this.#at = this.#now();
    return this.#at;
  }
}
