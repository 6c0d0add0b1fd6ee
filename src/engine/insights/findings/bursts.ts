import type { Milliseconds } from "../../model/units.ts";
import type { Request } from "./traffic.ts";

/** Bursts of requests: each begins at most `gap` after all before it in its burst have ended. `requests`: by start. */
export function burstsIn(requests: readonly Request[], gap: Milliseconds): readonly (readonly Request[])[] {
  const bursts: Request[][] = [];
  let until = Number.NEGATIVE_INFINITY;
  for (const request of requests) {
    if (request.start > until + gap) bursts.push([]);
    bursts.at(-1)?.push(request);
    until = Math.max(until, request.end);
  }
  return bursts;
}
