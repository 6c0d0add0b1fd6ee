import type { SampledStats } from "../../insights/trends.ts";
import type { Bytes, Instant } from "../../model/units.ts";
import type { EndpointTally } from "../../stats/endpoint-tally.ts";
import type { LatencySample } from "../../stats/sample.ts";
import type { Session } from "../session.ts";
import { endpointStatsOf } from "./endpoint-lists.ts";

/** The figures of a session that are stored when it ends, for trends and comparison. */
export interface SessionFigures {
  /** `null` if nothing was captured. */
  readonly start: Instant | null;
  readonly exchanges: number;
  readonly counted: number;
  readonly errors: number;
  /** All latencies of the session; `null` if there are none. */
  readonly latencies: LatencySample | null;
  readonly bytes: Bytes;
  /** The endpoints with at least `MINIMUM_REQUESTS` requests. A session without such endpoints is in no baseline. */
  readonly endpoints: readonly SampledStats[];
}

export function figuresOf(session: Session): SessionFigures {
  const { start, counted, errors, latencies, bytes } = session.summary;
  const endpoints = Object.freeze(session.tallies.withRow().flatMap((tally) => sampledStatsOf(tally) ?? []));
  return Object.freeze({ start, exchanges: session.exchanges, counted, errors, latencies, bytes, endpoints });
}

/** The endpoint's row with samples of its values; `null` if it has too few requests. */
export function sampledStatsOf(tally: EndpointTally): SampledStats | null {
  const stats = endpointStatsOf(tally);
  return stats === null ? null : Object.freeze({ ...stats, sampled: tally.samples() });
}
