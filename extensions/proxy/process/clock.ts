import { performance } from "node:perf_hooks";
import type { Instant, Milliseconds } from "../../../src/engine/model/units.ts";

export interface Clock {
  now(): Instant;
}

/** What a slow line needs of time; `after` returns a function that cancels the call. */
export interface LineClock {
  now(): Milliseconds;
  after(time: Milliseconds, call: () => void): () => void;
}

/** Epoch milliseconds at the process's start plus a monotonic clock, because the wall clock may jump. */
export const CLOCK: Clock = Object.freeze({
  now: (): Instant => (performance.timeOrigin + performance.now()) as Instant,
});
