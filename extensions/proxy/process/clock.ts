import { performance } from "node:perf_hooks";
import type { Instant } from "../../../src/engine/model/units.ts";

export interface Clock {
  now(): Instant;
}

/** Epoch milliseconds at the process's start plus a monotonic clock, because the wall clock may jump. */
export const CLOCK: Clock = Object.freeze({
  now: (): Instant => (performance.timeOrigin + performance.now()) as Instant,
});
