import type { Interval } from "../../src/engine/insights/interval.ts";

/** As `ParallelSweep` wants intervals: by start, of two that start together the longer first, then the earlier id. */
export function byStart(left: Omit<Interval, "client">, right: Omit<Interval, "client">): number {
  return left.start - right.start || right.end - left.end || left.id - right.id;
}
