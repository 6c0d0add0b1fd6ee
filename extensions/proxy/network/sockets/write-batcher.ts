import type { Milliseconds } from "../../../../src/engine/model/units.ts";

/**
 * Default; not from a specification. A write this soon after an immediate one is almost surely of the same turn:
 * handling one socket takes less, and a lone client's round trip takes more.
 */
const SAME_TURN: Milliseconds = 0.05;

/** Has bytes to flush, possibly a moment later. */
interface Waiting {
  flush(): boolean;
}

/**
 * Coalesces writes of one event-loop turn. Node reads every ready socket before an immediate runs, so deferred writes
 * go out together and wake each reader once; waking a sleeping process per message is costly (docs/measurements.md).
 *
 * The first write of a turn goes out at once. It is detected by time, since an immediate per turn would cost a lone
 * request more than this whole class.
 */
export class WriteBatcher {
  readonly #now: () => Milliseconds;
  #firstAt: Milliseconds = Number.NEGATIVE_INFINITY;
  #waiting: Waiting[] = [];

  constructor(now: () => Milliseconds = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Flushes `one` now if it is the first of the turn, else at the turn's end; returns the flush's result, `null` if
   * deferred.
   */
  flush(one: Waiting): boolean | null {
    if (this.#waiting.length === 0 && this.#now() - this.#firstAt > SAME_TURN) {
      const hasRoom = one.flush();
      this.#firstAt = this.#now();
      return hasRoom;
    }
    if (this.#waiting.push(one) === 1) setImmediate(this.#flush);
    return null;
  }

  readonly #flush = (): void => {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const one of waiting) one.flush();
  };
}

/** One per thread, which has one event loop. */
export const WRITE_BATCHER = new WriteBatcher();
