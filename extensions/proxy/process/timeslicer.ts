import { setImmediate, setTimeout } from "node:timers/promises";
import type { Milliseconds } from "../../../src/engine/model/units.ts";

/**
 * The length of a slice, and the pause after it as a multiple of the slice. Together they limit the work to half of the
 * thread's time.
 */
const TIME_SLICE: Milliseconds = 8;
const PAUSE_RATIO = 1;

/**
 * The shortest cool-down, and the cool-down as a multiple of the last run's time: results of a small session are at
 * most 2 s old (docs/specification.md).
 */
const SHORTEST_COOL_DOWN: Milliseconds = 250;
const COOL_DOWN_RATIO = 0.5;

/** A state counts as quiet once it has not changed for this long. */
const QUIET_AFTER: Milliseconds = 1_000;

/**
 * Tells whether a state, such as the current session, has changed within `QUIET_AFTER`. Long work pauses only while the
 * state changes.
 */
export class Activity {
  readonly #state: () => unknown;
  readonly #now: () => Milliseconds;
  #seen: unknown;
  #changedAt: Milliseconds;

  /** `state` must return another value after each change. */
  constructor(state: () => unknown, now: () => Milliseconds = () => performance.now()) {
    this.#state = state;
    this.#now = now;
    this.#seen = state();
    this.#changedAt = now();
  }

  isBusy(): boolean {
    const [state, now] = [this.#state(), this.#now()];
    if (state !== this.#seen) this.#changedAt = now;
    this.#seen = state;
    return now - this.#changedAt < QUIET_AFTER;
  }
}

/** Time-slices long work, which must call `pause` often. `pause` returns at once until the slice is used up. */
export class Timeslicer {
  readonly #pauseRatio: number;
  #startedAt = performance.now();

  /**
   * `rest`: how long to pause after a slice, as a multiple of the slice. With 0, a pause only runs queued callbacks.
   */
  constructor(rest = PAUSE_RATIO) {
    this.#pauseRatio = rest;
  }

  async pause(): Promise<void> {
    const worked = performance.now() - this.#startedAt;
    if (worked < TIME_SLICE) return;
    await setImmediate();
    if (this.#pauseRatio > 0) await setTimeout(worked * this.#pauseRatio, undefined, { ref: false });
    this.#startedAt = performance.now();
  }
}

/** The `pause` for a command that someone waits for. It lets signals and messages be handled, and never sleeps. */
export function commandPause(): () => Promise<void> {
  const slicer = new Timeslicer(0);
  return () => slicer.pause();
}

/**
 * A coalescing job with a cool-down: requests made while the job runs cause one more run; the first request after the
 * cool-down starts at once.
 */
export class ThrottledJob {
  readonly #work: () => Promise<void>;
  readonly #others: Pick<Activity, "isBusy">;
  #isScheduled = false;
  #isRunning = false;
  #coolDownUntil = 0;

  /** `others`: while this is not busy, a cool-down lasts at most `SHORTEST_COOL_DOWN`. */
  constructor(work: () => Promise<void>, others: Pick<Activity, "isBusy">) {
    this.#work = work;
    this.#others = others;
  }

  schedule(): void {
    this.#isScheduled = true;
    if (!this.#isRunning) void this.#run();
  }

  async #coolDown(): Promise<void> {
    do {
      const left = Math.max(0, this.#coolDownUntil - performance.now());
      await setTimeout(Math.min(left, SHORTEST_COOL_DOWN), undefined, { ref: false });
    } while (performance.now() < this.#coolDownUntil && this.#others.isBusy());
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      while (this.#isScheduled) {
        await this.#coolDown();
        this.#isScheduled = false;
        const began = performance.now();
        try {
          await this.#work();
        } finally {
          const ended = performance.now();
          this.#coolDownUntil = ended + Math.max(SHORTEST_COOL_DOWN, COOL_DOWN_RATIO * (ended - began));
        }
      }
    } finally {
      this.#isRunning = false;
    }
  }
}
