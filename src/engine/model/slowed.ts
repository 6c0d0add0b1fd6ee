import { type Instants, type Slowed, type Stretch, slowedResponseOf, slowedUploadOf } from "./phases.ts";
import type { Instant, Milliseconds } from "./units.ts";

/** What `slowedStretchesOf` reads of an exchange. */
export interface SlowedExchange {
  readonly instants: Instants;
  readonly endTime: Instant | null;
  readonly slowed: Slowed | null;
}

const NONE: readonly Stretch[] = Object.freeze([]);

/**
 * When an exchange was slowed, in order. Only lengths are measured: each is placed at the beginning of what it slowed.
 */
export function slowedStretchesOf({ instants: at, endTime, slowed }: SlowedExchange): readonly Stretch[] {
  if (slowed === null) return NONE;
  const end = at.responseEnd ?? endTime;
  const stretches: Stretch[] = [];
  const add = (from: number, to: number): void => {
    if (to > from) stretches.push(Object.freeze({ from: from - at.startTime, to: to - at.startTime }));
  };
  const sent = at.requestStart ?? end ?? at.startTime;
  add(at.startTime, Math.min(at.startTime + slowed.request, sent));
  if (at.requestStart !== null) add(at.requestStart, at.requestStart + slowedUploadOf(at, slowed));
  const forwarded = at.responseForwarded ?? at.released ?? at.responseStart;
  if (end !== null && forwarded !== null) add(forwarded, forwarded + slowedResponseOf(at, end, slowed));
  return Object.freeze(stretches);
}

/** The whole time by which conditions delayed the exchange. */
export function slowedTimeOf(exchange: SlowedExchange): Milliseconds {
  return slowedStretchesOf(exchange).reduce((sum, { from, to }) => sum + to - from, 0);
}
