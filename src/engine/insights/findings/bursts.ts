import type { Milliseconds } from "../../model/units.ts";
import type { Group } from "../grouped.ts";

/** Bursts of spans: each begins at most `gap` after all before it in its burst have ended. `spans`: by start. */
export function burstsIn<One extends { readonly start: number; readonly end: number }>(
  spans: readonly One[],
  gap: Milliseconds,
): readonly Group<One>[] {
  const bursts: [One, ...One[]][] = [];
  let until = Number.NEGATIVE_INFINITY;
  for (const span of spans) {
    if (span.start > until + gap) bursts.push([span]);
    else bursts.at(-1)?.push(span);
    until = Math.max(until, span.end);
  }
  return bursts;
}
