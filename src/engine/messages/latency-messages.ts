import type { Endpoint, EndpointParts } from "../model/endpoint.ts";
import type { EndpointFigures } from "../model/endpoint-figures.ts";
import type { Phase, Phases } from "../model/phases.ts";
import type { Span } from "../model/span.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../model/units.ts";
import type { Wait } from "../model/wait.ts";
import type { EndpointTrend } from "./trend-messages.ts";

/* Performance: the endpoints' rows, what one of them is made of, and the slow requests. */

export type LatencyColumn = "endpoint" | "requests" | "p50" | "p95" | "p99" | "avgSize" | "errorRate";

export type SlowCause = "all" | "server" | "transfer" | "connection";

/** The seed's row: an endpoint with at least 5 requests in the session. */
export interface EndpointStats extends EndpointFigures, EndpointParts {}

/** A row of the latency grid. */
export interface LatencyRecord extends EndpointStats {
  readonly trend: EndpointTrend;
}

export interface CollectingRecord extends EndpointParts {
  readonly endpoint: Endpoint;
  readonly requests: number;
}

/** The phase whose excess over the endpoint's own median of that phase is the largest. */
export interface SlowRequestCause {
  readonly phase: Phase;
  /** This exchange's length of the phase. */
  readonly length: Milliseconds;
  /** The endpoint's median of it, 0 for exchanges in which it did not happen; `null` if the endpoint has no sample of it. */
  readonly median: Milliseconds | null;
  readonly excess: Milliseconds;
}

export interface SlowRecord {
  readonly id: ExchangeId;
  readonly endpoint: Endpoint;
  readonly method: string;
  readonly origin: string;
  readonly target: string;
  readonly status: number | null;
  readonly startTime: Instant;
  readonly latency: Milliseconds;
  /** Of its endpoint, now; `null` while that has no row. */
  readonly p50: Milliseconds | null;
  readonly p95: Milliseconds | null;
  readonly reasons: readonly ("p95" | "fixed")[];
  /** latency / p50; `null` where p50 is unknown or 0. */
  readonly timesP50: number | null;
  readonly fixedThreshold: Milliseconds | null;
  /** `null` where no phase took longer than usual, and where it waited for longer than the excess of any. */
  readonly cause: SlowRequestCause | null;
  /** Before its first phase; `null` = did not happen. */
  readonly wait: Wait | null;
  /** The part of TTFB in which the request's body was sent; `null` without one. */
  readonly upload: Milliseconds | null;
  readonly requestBodySize: Bytes;
  /** For the sentence about a larger body: this one's size and the endpoint's mean. */
  readonly encodedBodySize: Bytes;
  readonly avgSize: Bytes | null;
  readonly spans: readonly Span[];
}

/** Half-open [lo, hi) in ms; `hi` `null` = no upper end. */
export interface Bucket {
  readonly lo: Milliseconds;
  readonly hi: Milliseconds | null;
  readonly count: number;
}

export interface EndpointDetail {
  readonly stats: EndpointStats;
  /** decisions.md's buckets, empty ends trimmed. */
  readonly histogram: readonly Bucket[];
  /** Percentiles of slices of the session in which the endpoint was used, oldest first. */
  readonly series: readonly {
    readonly at: Instant;
    readonly p50: Milliseconds;
    readonly p95: Milliseconds;
    readonly samples: number;
  }[];
  /** Mean length of each phase over all samples (a phase that did not happen counts 0 here), and of the latency. */
  readonly meanPhases: Phases;
  readonly meanLatency: Milliseconds | null;
  readonly slow: number;
  readonly reused: number;
  readonly connected: number;
  /** decoded / encoded over bodies with a Content-Encoding and a known decoded size; `null` if none. */
  readonly compressionRatio: number | null;
  readonly contentEncoding: string | null;
}
