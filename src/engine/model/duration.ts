import { type Exchange, hasOneOf, type Tag, UNTIMED_TAGS } from "./exchange.ts";
import { latencyOf } from "./phases.ts";
import type { Milliseconds } from "./units.ts";

/** RFC 9110, 15.2.2: from here on both sides speak another protocol. */
export const SWITCHING_PROTOCOLS = 101;

/** The media type of an event stream (WHATWG HTML, Server-sent events). */
export const EVENT_STREAM = "text/event-stream";

/**
 * Whether nobody waits for its end, so that how long it lived is no latency: an event stream, a WebSocket, any other protocol
 * that a 101 began, a tunnel.
 */
export function isLasting(tags: readonly Tag[], status: number | null): boolean {
  return status === SWITCHING_PROTOCOLS || hasOneOf(tags, UNTIMED_TAGS);
}

/** decisions.md, What counts: how long a whole response took, from the server or from us; `null` of anything else. */
export function timedLatencyOf(exchange: Exchange): Milliseconds | null {
  const { outcome, tags, instants } = exchange;
  return outcome?.kind !== "responded" || isLasting(tags, outcome.status) ? null : latencyOf(instants);
}

/**
 * How long it took until it failed, which is no latency; `null` of what did not fail, of what had begun to last, and where
 * nobody saw the end (a session that was cut off).
 */
export function failedAfterOf(exchange: Exchange): Milliseconds | null {
  const { outcome, tags, instants, endTime } = exchange;
  if (outcome?.kind !== "failed" || endTime === null || instants.headReceived === null) return null;
  return isLasting(tags, outcome.status) && instants.responseStart !== null ? null : endTime - instants.startTime;
}
