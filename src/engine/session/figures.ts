import type { EndpointStats } from "../messages/latency-messages.ts";
import type { Bytes, Instant, Milliseconds } from "../model/units.ts";
import { endpointStatsOf } from "./endpoint-lists.ts";
import type { Session } from "./session.ts";

/** What stays of a session when it has ended, for trends and comparison. */
export interface SessionFigures {
  /** `null`: nothing was captured. */
  readonly start: Instant | null;
  readonly exchanges: number;
  readonly counted: number;
  readonly errors: number;
  /** Of all latency samples. */
  readonly p95: Milliseconds | null;
  readonly bytes: Bytes;
  /** Endpoints that have a row; a session without one enters no baseline. */
  readonly endpoints: readonly EndpointStats[];
}

export function figuresOf(session: Session): SessionFigures {
  const { start, counted, errors, p95, bytes } = session.summary;
  const endpoints = Object.freeze(session.tallies.withRow().flatMap((tally) => endpointStatsOf(tally) ?? []));
  return Object.freeze({ start, exchanges: session.exchanges, counted, errors, p95, bytes, endpoints });
}
