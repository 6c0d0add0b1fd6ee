import { type Exchange, hasOneOf, type Tag, UNTIMED_TAGS } from "./exchange.ts";
import { latencyOf } from "./phases.ts";
import type { Milliseconds } from "./units.ts";

/** RFC 9110, 15.2.2: after this response both sides use another protocol. */
export const SWITCHING_PROTOCOLS = 101;

/**
 * Returns the tag of a media type (lower-case, without parameters) that always means a stream; else `null`
 * (docs/specification.md, Streams). Other streams are recognized only while they arrive, and get the tag `stream` at
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

/**
 * Whether the exchange has no latency: it is a stream, a WebSocket or a tunnel, or it switched to another protocol
 * (101).
 */
export function isLasting(tags: readonly Tag[], status: number | null): boolean {
  return status === SWITCHING_PROTOCOLS || hasOneOf(tags, UNTIMED_TAGS);
}

/**
 * Returns the latency of an exchange with a whole response, from the server or from Weir; `null` for streams and for
 * other exchanges (docs/specification.md, What counts).
 */
export function timedLatencyOf(exchange: Exchange): Milliseconds | null {
  const { outcome, tags, instants, waitedFor } = exchange;
  if (outcome?.kind !== "responded" || isLasting(tags, outcome.status)) return null;
  return latencyOf(instants, waitedFor === "browser");
}

/**
 * Returns the time from the exchange's start to its failure. `null` if the exchange did not fail, or if it failed after
 * a stream had begun. Also `null` if the instant of its head or of its end is unknown.
 */
export function failedAfterOf(exchange: Exchange): Milliseconds | null {
  const { outcome, tags, instants, endTime } = exchange;
  if (outcome?.kind !== "failed" || endTime === null || instants.headReceived === null) return null;
  return isLasting(tags, outcome.status) && instants.responseStart !== null ? null : endTime - instants.startTime;
}
