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
 * `own`: the spans of one client, in any order. The parts do not overlap, and add up to the union of the spans.
 */
export function heldTimesOf<One extends WaitSpan>(own: readonly One[]): readonly Held<One>[] {
  const held: Held<One>[] = [];
  let until = Number.POSITIVE_INFINITY;
  // In this order, each request that starts before `until` is the one that ends last of those still in flight there.
  for (const by of own.toSorted(compareEnds)) {
    const to = Math.min(by.end, until);
    if (by.start >= to) continue;
    held.push({ by, from: by.start, to });
    until = by.start;
  }
  return held;
}

function compareEnds(one: WaitSpan, other: WaitSpan): number {
  return other.end - one.end || other.start - one.start || other.id - one.id;
}
