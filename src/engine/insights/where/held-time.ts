import type { ExchangeId } from "../../model/units.ts";
import type { Microseconds } from "../microseconds.ts";

/** The time span of a request for which a client waited. */
export interface WaitSpan {
  readonly id: ExchangeId;
  readonly start: Microseconds;
  readonly end: Microseconds;
}

/** A part of a client's waiting, and the request that held it. */
export interface Held<One> {
  readonly by: One;
  readonly from: Microseconds;
  readonly to: Microseconds;
}

/**
 * Gives each moment in which a client waited to one of its requests, the latest moment first. Goes back from the end of
 * each busy stretch: the request that ends last holds the time back to its start, then the one in flight there that
 * ends last. Ties: the later start, then the higher id (docs/specification.md, Where the time went).
 *
 *     a ├──────┤              a holds until b starts
 *     b    ├───┼────────┤     b holds all of its time
 *     c        ├────┤         c holds nothing
 *
 * `own`: the spans of one client, by start, then id. The parts do not overlap, and add up to the union of the spans.
 */
export function heldTimesOf<One extends WaitSpan>(own: readonly One[]): readonly Held<One>[] {
  const held: Held<One>[] = [];
  const latest = latestEndsOf(own);
  let until = Number.POSITIVE_INFINITY;
  for (let last = own.length - 1; last >= 0; last -= 1) {
    if ((own[last] as One).start >= until) continue;
    // Of the spans that begin before `until`, this one ends last.
    const by = latest[last] as One;
    const to = Math.min(by.end, until);
    until = by.start;
    if (to > by.start) held.push({ by, from: by.start, to });
  }
  return held;
}

/** For each span, the one that ends last among it and the spans before it; of equal ends, the last one. */
function latestEndsOf<One extends WaitSpan>(own: readonly One[]): readonly One[] {
  const latest: One[] = [];
  let known: One | null = null;
  for (const span of own) {
    if (known === null || span.end >= known.end) known = span;
    latest.push(known);
  }
  return latest;
}
