import type { Instants } from "./phases.ts";
import type { Instant, Milliseconds } from "./units.ts";

/**
 * For what a request that had arrived was kept back. `connection`: for one that another exchange was just opening; `stream`:
 * for a stream, since the server takes no more at once (RFC 9113, 5.1.2); `unsaid`: a HAR file says that it waited, not for
 * what; `sign`: for the server to answer a PING, after a long silence (8.7); `retry`: for an answer over a used connection
 * that ended without one, so that it was sent once more.
 */
export const WAITED_FOR = ["connection", "stream", "unsaid", "sign", "retry"] as const;

export type WaitedFor = (typeof WAITED_FOR)[number];

/** A time in which nothing could be done about a request; `from` and `to` in ms after its start. */
export interface Wait {
  readonly waitedFor: WaitedFor;
  readonly from: Milliseconds;
  readonly to: Milliseconds;
}

/** From the request's arrival to its first phase, or to its end where it came to none; `null` = did not happen. */
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
  const from = at.headReceived ?? at.startTime;
  const to = at.domainLookupStart ?? at.connectStart ?? at.requestStart ?? endTime;
  if (to === null || to <= from) return null;
  return Object.freeze({ waitedFor, from: from - at.startTime, to: to - at.startTime });
}
