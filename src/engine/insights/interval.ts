import { type Exchange, hasOneOf, isLasting, statusOf, UNCOUNTED_TAGS } from "../model/exchange.ts";
import type { ExchangeId, Instant, Milliseconds } from "../model/units.ts";

/** The time span of a client's exchange. */
export interface Interval {
  readonly id: ExchangeId;
  readonly client: string;
  readonly start: Instant;
  readonly end: Instant;
}

/** Whether the exchange has an end that its client waits for, unlike a stream. */
export function isWaitedFor({ tags, outcome }: Exchange): boolean {
  return !hasOneOf(tags, UNCOUNTED_TAGS) && !isLasting(tags, statusOf(outcome));
}

/**
 * docs/specification.md, Dependency chain: B follows A even if B starts this long before A ends. The tolerance is 10 %
 * of A's length, but at most 1 ms.
 */
function toleranceOf({ start, end }: { readonly start: number; readonly end: number }): Milliseconds {
  return Math.min(1, (end - start) / 10);
}

/** An exchange that starts at this instant or later follows the interval instead of overlapping it. */
export function readyOf(interval: { readonly start: number; readonly end: number }): Instant {
  return (interval.end - toleranceOf(interval)) as Instant;
}
