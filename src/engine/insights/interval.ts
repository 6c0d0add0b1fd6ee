import { isLasting } from "../model/duration.ts";
import { type Exchange, hasOneOf, statusOf, UNCOUNTED_TAGS } from "../model/exchange.ts";
import type { ExchangeId, Instant, Milliseconds } from "../model/units.ts";

/** The time span of a client's exchange. */
export interface Interval {
  readonly id: ExchangeId;
  readonly client: string;
  readonly start: Instant;
  readonly end: Instant;
}

/**
 * The exchange's interval. `null` while it runs, and for exchanges in no chain and no group: those are exchanges in no
 * figure (probes, resends, tunnels), and lasting ones (WebSockets, event streams), for whose end no client waits.
 */
export function intervalOf(exchange: Exchange): Interval | null {
  const { id, client, instants, endTime } = exchange;
  if (endTime === null || !isSequenced(exchange)) return null;
  return { id, client, start: instants.startTime, end: instants.responseEnd ?? endTime };
}

function isSequenced({ tags, outcome }: Exchange): boolean {
  return !hasOneOf(tags, UNCOUNTED_TAGS) && !isLasting(tags, statusOf(outcome));
}

/**
 * docs/specification.md, Dependency chain: how long before A's end B may start and still follow A, the smaller of 1 ms
 * and 10 % of A's latency.
 */
function toleranceOf({ start, end }: Pick<Interval, "start" | "end">): Milliseconds {
  return Math.min(1, (end - start) / 10);
}

/** The earliest start with which another exchange follows this one instead of overlapping it. */
export function readyOf(interval: Pick<Interval, "start" | "end">): Instant {
  return (interval.end - toleranceOf(interval)) as Instant;
}
