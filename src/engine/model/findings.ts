import type { Endpoint } from "./endpoint.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "./units.ts";

/** The bases of links, the most trusted first (docs/specification.md, Dependency chain). */
export const LINK_BASES = ["protocol", "initiator", "trace", "value", "experiment", "order"] as const;

export type LinkBasis = (typeof LINK_BASES)[number];

/** Why a request is thought to have waited for another. Contains captured text, which is secret and hostile. */
export interface LinkEvidence {
  /** The kind of evidence: `redirect`, `preflight`, `url`, `set-cookie`, `body`, `order` … */
  readonly source: string;
  /** The header, cookie or JSON member that contained `value`; `null` if there is none. */
  readonly name: string | null;
  /**
   * The value that links the two exchanges, at most 200 characters. For an order link: "3 of 4" if 3 of the 4 requests
   * to the endpoint of `to` followed a request to the endpoint of `from`.
   */
  readonly value: string;
}

/** Exchange `to` waited for exchange `from`. With the basis `trace`, `to` ran while `from` was in flight. */
export interface Link {
  readonly from: ExchangeId;
  readonly to: ExchangeId;
  readonly kind: "proven" | "sequential";
  readonly basis: LinkBasis;
  /** The time from the end of `from` to the start of `to`; negative if `to` started before the end of `from`. */
  readonly gap: Milliseconds;
  readonly evidence: LinkEvidence;
}

/** Exchanges of one client, each of which overlaps at least one other exchange of the group. */
export interface ParallelGroup {
  readonly client: string;
  /** At least 2 exchanges, in the order of their starts. */
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

/** Requests that repeat each other, some of them needlessly. */
export interface Repeat {
  readonly kind: RepeatKind;
  /** `<METHOD> <origin><path template>[ · <operation>]`; "" if the repeat has no endpoint. */
  readonly template: string;
  /** The exchanges that the repeat counts, in the order of their starts. */
  readonly exchanges: readonly ExchangeId[];
  /** The waiting time that would be saved; `null` if unknown. */
  readonly time: Milliseconds | null;
  /** Whether `time` is an upper bound. */
  readonly isUpTo: boolean;
  /** Bytes that were sent needlessly; `null` if unknown. */
  readonly bytes: Bytes | null;
  /** A sentence without its subject, the endpoint: "was fetched in 3 parts." If `template` is "", a whole sentence. */
  readonly summary: string;
}

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

/** The sizes of an endpoint's bodies. */
export interface PayloadRow {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly operation: string | null;
  readonly avgRequestSize: Bytes;
  /** `null` if there is no whole response. */
  readonly avgResponseSize: Bytes | null;
  /** Decoded size divided by encoded size; `null` if there is no encoded body. */
  readonly compressionRatio: number | null;
  readonly oversized: readonly ExchangeId[];
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
