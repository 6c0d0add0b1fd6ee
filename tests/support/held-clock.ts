import { CLOCK, type Clock } from "../../extensions/proxy/process/clock.ts";
import type { Instant, Milliseconds } from "../../src/engine/model/units.ts";

/** A clock that stands still until a test advances it, so that no time limit expires early on a slow computer. */
export class HeldClock implements Clock {
  #heldAt: Instant | null = CLOCK.now();
  /** How far the clock is behind real time, because it stood still. */
  #behind: Milliseconds = 0;

  now(): Instant {
    return this.#heldAt ?? ((CLOCK.now() - this.#behind) as Instant);
  }

  /** Advances the clock by `time`. */
  pass(time: Milliseconds): void {
    this.#heldAt = (this.now() + time) as Instant;
  }

  /** Lets the clock run in real time from now on. */
  release(): void {
    this.#behind = CLOCK.now() - this.now();
    this.#heldAt = null;
  }
}
