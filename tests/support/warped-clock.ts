import type { Clock, LineClock } from "../../extensions/proxy/process/clock.ts";
import type { Instant } from "../../src/engine/model/units.ts";

/**
 * A clock that jumps to the next call that is due. With `runs`, it jumps by itself once the event loop has nothing else
 * to do, so that slow lines take no real time.
 */
export class WarpedClock implements LineClock, Clock {
  #now = 1_700_000_000_000;
  #calls: { readonly at: number; readonly call: () => void }[] = [];
  #runs: boolean;
  #isDue = false;

  constructor(runs: boolean) {
    this.#runs = runs;
  }

  now(): Instant {
    return this.#now as Instant;
  }

  after(time: number, call: () => void): () => void {
    const entry = { at: this.#now + time, call };
    this.#calls.push(entry);
    this.#runSoon();
    return () => {
      this.#calls = this.#calls.filter((other) => other !== entry);
    };
  }

  /** Jumps to the next call, and makes it. Returns false if there is none. */
  step(): boolean {
    const [next] = this.#calls.toSorted((one, other) => one.at - other.at);
    if (next === undefined) return false;
    this.#calls = this.#calls.filter((other) => other !== next);
    this.#now = Math.max(this.#now, next.at);
    next.call();
    return true;
  }

  pass(time: number): void {
    this.#now += time;
  }

  #runSoon(): void {
    if (!this.#runs || this.#isDue) return;
    this.#isDue = true;
    // Two turns, so that what was written has been read at the other end.
    setImmediate(() =>
      setImmediate(() => {
        this.#isDue = false;
        if (this.step()) this.#runSoon();
      }),
    );
  }
}
