import type { Milliseconds } from "../model/units.ts";

/*
 * Whole microseconds. Sums and differences of instants in ms depend on the order in which they are added; those of
 * whole numbers do not.
 */

export type Microseconds = number;

/** An instant or a length in ms, rounded to whole microseconds. */
export function microsecondsOf(time: Milliseconds): Microseconds {
  return Math.round(time * 1_000);
}

export function millisecondsOf(time: Microseconds): Milliseconds {
  return time / 1_000;
}
