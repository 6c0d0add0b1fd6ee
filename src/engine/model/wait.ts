import type { Instants } from "./phases.ts";
import type { Instant, Milliseconds } from "./units.ts";

/**
 * What a request waited for. `connection`: a connection that another exchange was opening; `stream`: a free stream (RFC
 * 9113, 5.1.2); `unsaid`: a HAR file gives no reason; `sign`: the response to a PING after a long silence (RFC 9113,
 * 8.7); `retry`: a reused connection closed without a response, so the request was sent again; `browser`: the browser's own
 * queue (its priorities, its main thread), which is no part of the latency.
 */
export const WAITED_FOR = ["connection", "stream", "unsaid", "sign", "retry", "browser"] as const;

export type WaitedFor = (typeof WAITED_FOR)[number];

/** When a request waited: `from` and `to` in ms after its start. */
export interface Wait {
  readonly waitedFor: WaitedFor;
  readonly from: Milliseconds;
  readonly to: Milliseconds;
}

/**
 * Returns the wait from the arrival of the request's head to the exchange's first phase. If no phase happened, the wait
 * lasts until the exchange's end. The browser's own queue lasts from the start to the arrival of the head. `null` if the
 * request did not wait.
 */
export function waitOf({
  instants: at,
  endTime,
  waitedFor,
}: {
  readonly instants: Instants;
  readonly endTime: Instant | null;
  readonly waitedFor: WaitedFor | null;
}): Wait | null {
  if (waitedFor === null) return null;
  const isQueued = waitedFor === "browser";
  const from = isQueued ? at.startTime : (at.headReceived ?? at.startTime);
  const to = isQueued ? at.headReceived : (at.domainLookupStart ?? at.connectStart ?? at.requestStart ?? endTime);
  if (to === null || to <= from) return null;
  return Object.freeze({ waitedFor, from: from - at.startTime, to: to - at.startTime });
}
