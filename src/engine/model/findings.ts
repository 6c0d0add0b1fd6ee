import type { Bytes, ExchangeId, Instant, Milliseconds } from "./units.ts";

/** Where a value of a response was found: its Location, a Set-Cookie, another header, its body. */
export type EvidenceSource = "location" | "set-cookie" | "header" | "body";

/** A value of a response that the next request used. Captured text: secret, hostile, cut to 200 characters. */
export interface Evidence {
  readonly source: EvidenceSource;
  readonly value: string;
}

/** From one exchange of a chain to the next. */
export interface ChainEdge {
  readonly from: ExchangeId;
  readonly to: ExchangeId;
  /** From the end of the one to the start of the other; down to -1 ms within the tolerance. */
  readonly gap: Milliseconds;
  readonly kind: "proven" | "sequential";
  /** `null` for a sequential edge. */
  readonly evidence: Evidence | null;
}

/** Exchanges of one client, each started when the one before had ended. */
export interface Chain {
  /** First start → last end. */
  readonly duration: Milliseconds;
  readonly client: string;
  /** At least 2, in their order. */
  readonly steps: readonly { readonly id: ExchangeId; readonly start: Instant; readonly end: Instant }[];
  /** One fewer than `steps`. */
  readonly edges: readonly ChainEdge[];
  /** What would be saved if all that nothing proves dependent ran at once; `null` if every edge is proven. */
  readonly couldSave: Milliseconds | null;
}

/** A maximal set of one client's exchanges that overlap, directly or through each other. */
export interface ParallelGroup {
  readonly client: string;
  /** At least 2, by start. */
  readonly exchanges: readonly ExchangeId[];
  readonly start: Instant;
  readonly end: Instant;
}

export interface Repeat {
  readonly kind: "n+1" | "duplicate";
  readonly client: string;
  /** `<METHOD> <origin><path template>` of an N+1, `<METHOD> <URL>` of a duplicate. */
  readonly template: string;
  /** By start. */
  readonly exchanges: readonly ExchangeId[];
}

export type TrendMetric = "latency" | "errorRate" | "payload";
export type Direction = "up" | "down" | "stable";

/** An endpoint's figure against the median of its baseline sessions. */
export interface Trend {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly metric: TrendMetric;
  readonly direction: Direction;
  /** p95 in ms, error rate in percent, mean response in bytes; `current` likewise. */
  readonly baseline: number;
  readonly current: number;
  /** In the metric's unit; percentage points for the error rate. */
  readonly change: number;
  /** `null` where the baseline is 0. */
  readonly changePercent: number | null;
  /** Baseline sessions that it was compared with. */
  readonly sessions: number;
}

/** An endpoint's sizes. */
export interface PayloadRow {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly avgRequestSize: Bytes;
  /** `null` without a whole response. */
  readonly avgResponseSize: Bytes | null;
  /** decoded / encoded; `null` without a compressed body. */
  readonly compressionRatio: number | null;
  readonly oversized: readonly ExchangeId[];
}
