import { CLOCK, type Clock } from "../../extensions/proxy/process/clock.ts";
import type { Instant, Milliseconds } from "../../src/engine/model/units.ts";

/** A clock that a test advances by hand: no time limit can expire early, however slow the machine is. */
export class HeldClock implements Clock {
  #heldAt: Instant | null = CLOCK.now();
  /** How far it lags behind real time after standing still. */
  #behind: Milliseconds = 0;

  now(): Instant {
    return this.#heldAt ?? ((CLOCK.now() - this.#behind) as Instant);
  }

  /** Advances by this much. */
  pass(time: Milliseconds): void {
    this.#heldAt = (this.now() + time) as Instant;
  }

  /** Runs in real time from now on. */
  release(): void {
    this.#behind = CLOCK.now() - this.now();
    this.#heldAt = null;
  }
}
