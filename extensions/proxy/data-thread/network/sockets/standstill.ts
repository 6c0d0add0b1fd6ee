import type { Bytes, Instant, Milliseconds } from "../../../../../src/engine/model/units.ts";

/** Measures how long a transfer has made no progress. Only `lasted` notices progress, so call it at each sweep. */
export class Standstill {
  #count: Bytes | null = null;
  #since: Instant | null = null;

  /**
   * Returns how long `count` has been the same. `count` changes with progress, and is `null` while no progress is
   * expected.
   */
  lasted(now: Instant, count: Bytes | null): Milliseconds {
    if (count === null || count !== this.#count) this.#since = now;
    this.#count = count;
    return now - (this.#since ?? now);
  }
}
