import { type Exchange, hasOneOf, type Tag, UNTIMED_TAGS } from "./exchange.ts";
import { latencyOf } from "./phases.ts";
import type { Milliseconds } from "./units.ts";

/** RFC 9110, 15.2.2: after this response both sides use another protocol. */
export const SWITCHING_PROTOCOLS = 101;

/**
 * docs/specification.md, What counts: the tag of a media type (lower-case, without parameters) that always means a
 * stream; else `null`. Other responses are recognized as streams only while they arrive, and get the tag `stream` at
 * their end.
 */
export function streamTagOf(contentType: string | null): Tag | null {
  return contentType === null ? null : (STREAMS.get(contentType) ?? null);
}

/** Media types of streams: server-sent events (WHATWG HTML, 9.2), series of images, JSON records without an end. */
const STREAMS: ReadonlyMap<string, Tag> = new Map([
  ["text/event-stream", "event-stream"],
  ["multipart/x-mixed-replace", "stream"],
  ["application/stream+json", "stream"],
] as const);

/** Whether the exchange's time is no latency: a stream, a WebSocket, another protocol after a 101, a tunnel. */
export function isLasting(tags: readonly Tag[], status: number | null): boolean {
  return status === SWITCHING_PROTOCOLS || hasOneOf(tags, UNTIMED_TAGS);
}

/**
 * docs/specification.md, What counts: the latency of a whole response, given by the server or by Weir; `null` for other
 * exchanges.
 */
export function timedLatencyOf(exchange: Exchange): Milliseconds | null {
  const { outcome, tags, instants } = exchange;
  return outcome?.kind !== "responded" || isLasting(tags, outcome.status) ? null : latencyOf(instants);
}

/**
 * The time until the failure (no latency); `null` if the exchange did not fail, had become a stream, or ended at an
 * unknown time (a session that was cut off).
 */
export function failedAfterOf(exchange: Exchange): Milliseconds | null {
  const { outcome, tags, instants, endTime } = exchange;
  if (outcome?.kind !== "failed" || endTime === null || instants.headReceived === null) return null;
  return isLasting(tags, outcome.status) && instants.responseStart !== null ? null : endTime - instants.startTime;
}
