import { CLOCK, type Clock } from "../../extensions/proxy/clock.ts";
import type { Instant, Milliseconds } from "../../src/engine/model/units.ts";

/**
 * A clock that stands still until a test has come to the moment that it is about: no limit can strike before, however long the
 * machine stalls.
 */
export class HeldClock implements Clock {
  #heldAt: Instant | null = CLOCK.now();
  /** What was missed while it stood still. */
  #behind: Milliseconds = 0;

  now(): Instant {
    return this.#heldAt ?? ((CLOCK.now() - this.#behind) as Instant);
  }

  /** So much later it stands still again. */
  pass(time: Milliseconds): void {
    this.#heldAt = (this.now() + time) as Instant;
  }

  /** From now on it goes like any other. */
  goOn(): void {
    this.#behind = CLOCK.now() - this.now();
    this.#heldAt = null;
  }
}
