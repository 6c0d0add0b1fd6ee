import { performance } from "node:perf_hooks";
import type { Instant } from "../../src/engine/model/units.ts";

/** Where the time comes from. */
export interface Clock {
  now(): Instant;
}

/** Epoch milliseconds at the process's start plus what a monotonic clock counted since: the wall clock may jump meanwhile. */
export const CLOCK: Clock = Object.freeze({
  now: (): Instant => (performance.timeOrigin + performance.now()) as Instant,
});
