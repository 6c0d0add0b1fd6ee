import type { Milliseconds } from "../../../../../src/engine/model/units.ts";

/**
 * A write this soon after the first write of a turn belongs to the same turn.
 * Handling one socket takes less time than this; a lone client's round trip takes more.
 */
const SAME_TURN: Milliseconds = 0.05;

/** An object with bytes to flush, now or a moment later. */
interface Waiting {
  flush(): boolean;
}

/**
 * Coalesces the writes of one turn of the event loop. Node reads every ready socket before an immediate runs, so
 * deferred writes go out together and wake each reader only once. Waking a sleeping process for each message is costly
 * (docs/measurements.md).
 *
 * The first write of a turn goes out at once. A write counts as the first if the previous first one is more than
 * `SAME_TURN` ago. Time separates the turns, because a `setImmediate` in every turn would slow down lone requests.
 */
export class WriteBatcher {
  readonly #now: () => Milliseconds;
  #firstAt: Milliseconds = Number.NEGATIVE_INFINITY;
  #waiting: Waiting[] = [];

  constructor(now: () => Milliseconds = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Flushes `one` now if it is the first of the turn, else at the turn's end. Returns the result of the flush; `null`
   * if it is deferred.
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

/** The only instance of the thread, which has one event loop. */
export const WRITE_BATCHER = new WriteBatcher();
