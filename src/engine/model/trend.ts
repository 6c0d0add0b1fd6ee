import type { Endpoint } from "./endpoint.ts";
import type { Milliseconds } from "./units.ts";

export type TrendMetric = "latency" | "errorRate" | "payload";
export type Direction = "up" | "down" | "stable";

/** A figure, compared with its median in the baseline sessions. */
export interface Change {
  readonly direction: Direction;
  readonly baseline: number;
  readonly current: number;
  /** In the figure's unit; for the error rate in percentage points. */
  readonly change: number;
  /** `null` if the baseline is 0. */
  readonly changePercent: number | null;
  /**
   * Why no change could be detected ("can't tell: n = 7, about 60 needed"), or which percentile changed; `null` if
   * neither applies.
   */
  readonly note: string | null;
}

/** An endpoint's figure, compared with the baseline. For latencies, both p50 and p95 are compared. */
export interface Trend extends Change {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly operation: string | null;
  readonly metric: TrendMetric;
  /** The direction of the figure; for latencies, the direction of p95, or of p50 if p95 is stable. */
  readonly direction: Direction;
  /** How many values of the current session were compared. */
  readonly n: number;
  /**
   * The figure's median in the baseline sessions: p95 (ms), error rate (percent) or mean response size (bytes).
   * `current` is the same figure of the current session.
   */
  readonly baseline: number;
  /** For latencies, the changes of both percentiles in ms; else `null`. */
  readonly percentiles: { readonly p50: Change; readonly p95: Change } | null;
  /** The number of baseline sessions that were compared. */
  readonly sessions: number;
}

/**
 * How much longer the same requests took in all, of the endpoints whose latency changed by the test; the others are the
 * same or cannot be told.
 */
export interface OverallChange {
  /** What the requests would have taken with the mean latencies of the baseline, summed over requests. */
  readonly before: Milliseconds;
  /** Positive if the requests took longer. */
  readonly change: Milliseconds;
  /** The endpoint with the largest part of the change; `null` if no endpoint changed. */
  readonly most: { readonly endpoint: Endpoint; readonly change: Milliseconds } | null;
  /** The number of requests of now, with those whose times are uncertain. */
  readonly requests: number;
  /** The number of endpoints that changed. */
  readonly changed: number;
  /** The number of endpoints for which neither a change nor its absence could be told. */
  readonly untold: number;
  readonly endpoints: number;
}
