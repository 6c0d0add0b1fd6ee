import type { Bytes, ExchangeId, Instant, Milliseconds } from "./units.ts";

/** The bases of links, the most trusted first (docs/specification.md, Dependency chain). */
export const LINK_BASES = ["protocol", "initiator", "trace", "value", "order"] as const;

export type LinkBasis = (typeof LINK_BASES)[number];

/** Why one request is taken to wait for another. Captured text: secret and hostile. */
export interface LinkEvidence {
  /** Its kind: `redirect`, `preflight`, `url`, `set-cookie`, `body`, `order` … */
  readonly source: string;
  /** The header, cookie or JSON member that contained it; `null` if there is none. */
  readonly name: string | null;
  /** The value, at most 200 characters; for an order link how often the order occurred, "3 of 4". */
  readonly value: string;
}

/** Exchange `to` waited for `from`; of basis `trace`: ran within it. */
export interface Link {
  readonly from: ExchangeId;
  readonly to: ExchangeId;
  readonly kind: "proven" | "sequential";
  readonly basis: LinkBasis;
  /** From the end of the one to the start of the other; negative where it began before the end. */
  readonly gap: Milliseconds;
  readonly evidence: LinkEvidence;
}

/** A maximal set of one client's exchanges that overlap, directly or transitively. */
export interface ParallelGroup {
  readonly client: string;
  /** At least 2, sorted by start. */
  readonly exchanges: readonly ExchangeId[];
  readonly start: Instant;
  readonly end: Instant;
}

/** The classes of repeated requests (docs/specification.md, Repeats). */
export const REPEAT_KINDS = [
  "n-plus-one",
  "duplicate-requests",
  "unchanged-refetches",
  "polling",
  "retries",
  "cors-preflights",
  "ranges",
] as const;

export type RepeatKind = (typeof REPEAT_KINDS)[number];

/** Requests to one endpoint that would not all be needed. */
export interface Repeat {
  readonly kind: RepeatKind;
  /** `<METHOD> <origin><path template>`, with ` · <operation>` where there is one. */
  readonly template: string;
  /** The exchanges that the repeat counts, by start. */
  readonly exchanges: readonly ExchangeId[];
  /** Waiting time that would be saved; `null` if unknown. */
  readonly time: Milliseconds | null;
  /** Whether `time` is an upper bound. */
  readonly isUpTo: boolean;
  /** Bytes that need not have been sent; `null` if unknown. */
  readonly bytes: Bytes | null;
  /** A sentence about the endpoint, without its subject. */
  readonly summary: string;
}

export type TrendMetric = "latency" | "errorRate" | "payload";
export type Direction = "up" | "down" | "stable";

/** A figure against the median of its baseline sessions. */
export interface Change {
  readonly direction: Direction;
  readonly baseline: number;
  readonly current: number;
  /** In the figure's unit; percentage points for the error rate. */
  readonly change: number;
  /** `null` where the baseline is 0. */
  readonly changePercent: number | null;
  /**
   * Why no change could be detected ("can't tell: n = 7, about 60 needed"), or which percentile changed; `null`:
   * neither.
   */
  readonly note: string | null;
}

/** An endpoint's figure against its baseline sessions; of latencies, both p50 and p95 are judged. */
export interface Trend extends Change {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly operation: string | null;
  readonly metric: TrendMetric;
  /** Of latencies: that of p95, or of p50 where p95 is stable. */
  readonly direction: Direction;
  /** The values of the current session that were compared. */
  readonly n: number;
  /** p95 in ms, error rate in percent, mean response in bytes; the same for `current`. */
  readonly baseline: number;
  /** Of latencies: both percentiles in ms; else `null`. */
  readonly percentiles: { readonly p50: Change; readonly p95: Change } | null;
  /** The number of baseline sessions compared with. */
  readonly sessions: number;
}

/** An endpoint's sizes. */
export interface PayloadRow {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly operation: string | null;
  readonly avgRequestSize: Bytes;
  /** `null` without a whole response. */
  readonly avgResponseSize: Bytes | null;
  /** decoded / encoded; `null` without a compressed body. */
  readonly compressionRatio: number | null;
  readonly oversized: readonly ExchangeId[];
}
