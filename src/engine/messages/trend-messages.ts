import type { Endpoint, EndpointParts } from "../model/endpoint.ts";
import type { Direction, Trend } from "../model/findings.ts";
import type { Instant, Milliseconds } from "../model/units.ts";

/* Trends: an endpoint's figures against those of earlier sessions. */

export type TrendColumn = "endpoint" | "metric" | "baseline" | "current" | "change" | "sessions";

/** An endpoint's trend in the latency table: of its p95, or of its p50 if only that changed. */
export type EndpointTrend =
  | {
      readonly kind: "known";
      readonly of: "p50" | "p95";
      readonly direction: Direction;
      readonly baseline: Milliseconds;
      readonly change: Milliseconds;
      /** `null` where the baseline is 0. */
      readonly changePercent: number | null;
      /** As in `Change`. */
      readonly note: string | null;
      readonly sessions: number;
    }
  /** "2 of 3 sessions": fewer than 3 of the baseline's sessions have the endpoint. */
  | { readonly kind: "omitted"; readonly sessions: number };

export interface TrendRecord extends EndpointParts, Trend {
  /** The endpoint and the metric. */
  readonly key: string;
  readonly endpoint: Endpoint;
  /** The baseline sessions' values, oldest first, for the sparkline; `current` follows them. */
  readonly series: readonly number[];
  /** The band in which the current value counts as stable. */
  readonly band: { readonly low: number; readonly high: number };
}

export interface Baseline {
  /** Sessions that trends compare with: the latest 10 completed ones that are not left out. */
  readonly sessions: readonly { readonly id: string; readonly name: string; readonly startedAt: Instant }[];
  /** The required number of sessions: "2 of 3 sessions recorded". */
  readonly needed: number;
  /** Median of the sessions' p95 of all latencies; `null` with fewer sessions than needed. */
  readonly p95: Milliseconds | null;
  /** Endpoints that have a row but no trend yet. */
  readonly omitted: number;
}
