import type { Endpoint, EndpointParts } from "../model/endpoint.ts";
import type { Direction, OverallChange, Trend } from "../model/trend.ts";
import type { Instant, Milliseconds } from "../model/units.ts";

/* Trends: an endpoint's figures compared with earlier sessions. */

export const TREND_COLUMNS = ["endpoint", "metric", "baseline", "current", "change", "sessions"] as const;

export type TrendColumn = (typeof TREND_COLUMNS)[number];

/** An endpoint's trend in the latency table: the trend of p95, or of p50 if only p50 changed. */
export type EndpointTrend =
  | {
      readonly kind: "known";
      readonly of: "p50" | "p95";
      readonly direction: Direction;
      readonly baseline: Milliseconds;
      readonly change: Milliseconds;
      /** `null` if the baseline is 0. */
      readonly changePercent: number | null;
      /** As in `Change`. */
      readonly note: string | null;
      readonly sessions: number;
    }
  /**
   * The endpoint is in fewer than 3 sessions of the baseline; `sessions` is the number of these sessions ("2 of 3
   * sessions").
   */
  | { readonly kind: "omitted"; readonly sessions: number };

export interface TrendRecord extends EndpointParts, Trend {
  /** The endpoint and the metric. */
  readonly key: string;
  readonly endpoint: Endpoint;
  /** The figure in each session of the baseline, oldest first. The sparkline adds `current` at the end. */
  readonly series: readonly number[];
  /** The number of this session's latencies that are left out because they are too uncertain. */
  readonly uncertain: number;
  /** The range in which the current figure counts as stable. */
  readonly band: { readonly low: number; readonly high: number };
}

export interface Baseline {
  /** The sessions that trends compare with: the latest 10 completed ones that the user did not exclude. */
  readonly sessions: readonly {
    readonly id: string;
    readonly name: string;
    readonly title: string;
    readonly startedAt: Instant;
  }[];
  /** The number of sessions that a trend needs: "2 of 3 completed sessions recorded". */
  readonly needed: number;
  /** The median of the sessions' p95 over all latencies; `null` if there are fewer sessions than needed. */
  readonly p95: Milliseconds | null;
  /** The number of endpoints that have a row but no trend yet. */
  readonly omitted: number;
  /** How much longer the requests took in all than in the baseline; `null` without trends. */
  readonly overall: OverallChange | null;
}
