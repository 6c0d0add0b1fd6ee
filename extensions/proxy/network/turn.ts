/** Somebody with bytes that may go out a moment later. */
interface Waiting {
  flush(): void;
}

/**
 * One turn of the event loop. Node reads every socket that is ready before an immediate runs, so what waits for the turn's
 * end goes out in one rush and wakes its readers once: to wake a sleeping process for every message is a good part of its
 * price (docs/measurements.md). The first of a turn waits for nobody, so who is alone loses no time.
 */
class Turn {
  #hasBegun = false;
  #waiting: Waiting[] = [];

  /** Whether `one` is flushed at the turn's end; false: it is the first of the turn. */
  takes(one: Waiting): boolean {
    if (this.#hasBegun) {
      this.#waiting.push(one);
      return true;
    }
    this.#hasBegun = true;
    setImmediate(this.#end);
    return false;
  }

  readonly #end = (): void => {
    const waiting = this.#waiting;
    this.#hasBegun = false;
    this.#waiting = [];
    for (const one of waiting) one.flush();
  };
}

/** A thread has one event loop. */
export const TURN = new Turn();
