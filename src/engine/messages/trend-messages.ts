import type { Endpoint, EndpointParts } from "../model/endpoint.ts";
import type { Direction, TrendMetric } from "../model/findings.ts";
import type { Instant, Milliseconds } from "../model/units.ts";

/* Trends: an endpoint's figures beside those of earlier sessions. */

export type TrendColumn = "endpoint" | "metric" | "baseline" | "current" | "change" | "sessions";

/** What the latency grid shows of an endpoint's trend (its p95). */
export type EndpointTrend =
  | {
      readonly kind: "known";
      readonly direction: Direction;
      readonly baseline: Milliseconds;
      readonly change: Milliseconds;
      /** `null` where the baseline is 0. */
      readonly changePercent: number | null;
      readonly sessions: number;
    }
  /** "2 of 3 sessions": fewer than 3 of the baseline's sessions have the endpoint. */
  | { readonly kind: "omitted"; readonly sessions: number };

export interface TrendRecord extends EndpointParts {
  /** Endpoint and metric. */
  readonly key: string;
  readonly endpoint: Endpoint;
  readonly metric: TrendMetric;
  readonly direction: Direction;
  /** Median of the baseline. Latency: p95 in ms; error rate: percent; payload: mean response in bytes. */
  readonly baseline: number;
  readonly current: number;
  /** In the metric's unit; percentage points for the error rate. */
  readonly change: number;
  readonly changePercent: number | null;
  /** Baseline sessions that have the endpoint, 3 to 10. */
  readonly sessions: number;
  /** Their values, oldest first, for the sparkline; `current` comes behind them. */
  readonly series: readonly number[];
  /** Within these the current value counts as stable. */
  readonly band: { readonly low: number; readonly high: number };
}

export interface Baseline {
  /** Sessions that trends compare with: the latest 10 completed ones that are not left out. */
  readonly sessions: readonly { readonly id: string; readonly name: string; readonly startedAt: Instant }[];
  /** Sessions that are needed: "2 of 3 sessions recorded". */
  readonly needed: number;
  /** Median of the sessions' p95 of all latencies; `null` with fewer than are needed. */
  readonly p95: Milliseconds | null;
  /** Endpoints with a row that have no trend yet. */
  readonly omitted: number;
}
