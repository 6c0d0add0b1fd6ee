import type { Milliseconds } from "../../../src/engine/model/units.ts";

/**
 * Our choice: who writes so soon after the last one that went out at once does so in the same turn, almost surely: to look at
 * one socket takes less, and for one client alone to hear of its server takes more.
 */
const SAME_TURN: Milliseconds = 0.05;

/** Somebody with bytes that may go out a moment later. */
interface Waiting {
  flush(): boolean;
}

/**
 * One turn of the event loop. Node reads every socket that is ready before an immediate runs, so what waits for the turn's
 * end goes out in one rush and wakes its readers once: to wake a sleeping process for every message is a good part of its
 * price (docs/measurements.md). The first of a turn waits for nobody. That it is the first is told by the time, since an
 * immediate of its own for every turn would cost a lone request more than the rest of this.
 */
export class Turn {
  readonly #now: () => Milliseconds;
  #firstAt: Milliseconds = Number.NEGATIVE_INFINITY;
  #waiting: Waiting[] = [];

  constructor(now: () => Milliseconds = () => performance.now()) {
    this.#now = now;
  }

  /** Flushes `one` if it is the first of the turn, else at the turn's end; what its flush said, or `null`: it waits. */
  flush(one: Waiting): boolean | null {
    if (this.#waiting.length === 0 && this.#now() - this.#firstAt > SAME_TURN) {
      const hasRoom = one.flush();
      this.#firstAt = this.#now();
      return hasRoom;
    }
    if (this.#waiting.push(one) === 1) setImmediate(this.#end);
    return null;
  }

  readonly #end = (): void => {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const one of waiting) one.flush();
  };
}

/** A thread has one event loop. */
export const TURN = new Turn();
