import type { Endpoint, EndpointParts } from "../model/endpoint.ts";
import type { EndpointFigures } from "../model/endpoint-figures.ts";
import type { Phase, Phases, Span, Wait } from "../model/phases.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../model/units.ts";
import type { FindingName } from "./finding-messages.ts";
import type { EndpointTrend } from "./trend-messages.ts";

/* Performance: the endpoints' rows, the detail of one endpoint, and the slow requests. */

export const LATENCY_COLUMNS = [
  "endpoint",
  "requests",
  "totalLatency",
  "p50",
  "p95",
  "p99",
  "avgSize",
  "errorRate",
] as const;

export type LatencyColumn = (typeof LATENCY_COLUMNS)[number];

export const SLOW_CAUSES = ["all", "server", "transfer", "connection", "weir", "none"] as const;

export type SlowCause = (typeof SLOW_CAUSES)[number];

/** The figures of an endpoint with at least 5 requests in the session. */
export interface EndpointStats extends EndpointFigures, EndpointParts {}

/** A row of the latency table. */
export interface LatencyRecord extends EndpointStats {
  /** The sum of the latencies; `null` if there is none. */
  readonly totalLatency: Milliseconds | null;
  readonly trend: EndpointTrend;
}

/** An endpoint with fewer than 5 requests. */
export interface CollectingRecord extends EndpointParts {
  readonly endpoint: Endpoint;
  readonly requests: number;
  readonly errors: number;
  /** As in `EndpointFigures`. */
  readonly avgSize: Bytes | null;
}

/** The phase that took the time of a slow request. */
export interface SlowRequestCause {
  readonly phase: Phase;
  /** How long the phase took in this exchange. */
  readonly length: Milliseconds;
  /**
   * The endpoint's median of the phase, where exchanges without the phase count as 0; `null` if no exchange of the
   * endpoint had the phase.
   */
  readonly median: Milliseconds | null;
  /** `length` minus `median`, at least 0. */
  readonly excess: Milliseconds;
  /** Whether the phase is the longest one, about as long as usual; else it exceeds its median by the most. */
  readonly isUsual: boolean;
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
  /** The endpoint's current p50; `null` if the endpoint has no row. */
  readonly p50: Milliseconds | null;
  readonly p95: Milliseconds | null;
  readonly reasons: readonly ("p95" | "fixed")[];
  /** Latency divided by p50; `null` if p50 is unknown or 0. */
  readonly timesP50: number | null;
  readonly fixedThreshold: Milliseconds | null;
  /** `null` if no phase is known, or if the wait was longer than the largest excess of a phase. */
  readonly cause: SlowRequestCause | null;
  /** The wait before the first phase; `null` if there was none. */
  readonly wait: Wait | null;
  /** The part of TTFB in which the request's body was sent; `null` if the request had no body. */
  readonly upload: Milliseconds | null;
  readonly requestBodySize: Bytes;
  /** The size of this response's body, for comparison with the endpoint's mean. */
  readonly encodedBodySize: Bytes;
  readonly avgSize: Bytes | null;
  readonly spans: readonly Span[];
  readonly client: string;
}

/**
 * A row of the slow requests by endpoint. If there are any, the first row is the overview. Then come the endpoints, the
 * largest loss first.
 */
export type SlowGroupRecord = SlowOverview | SlowEndpointRecord;

export interface SlowOverview {
  readonly key: "overview";
  /**
   * The share of the session's exchanges that were compared, 0 to 1; 1 also while new ones wait for the next search.
   */
  readonly progress: number;
}

/** Slow requests with something in common. */
export interface SlowSum {
  readonly count: number;
  /** Time beyond the endpoint's usual latency, summed over clients. Overlapping requests of one client count once. */
  readonly lost: Milliseconds;
  readonly median: Milliseconds;
}

/** The slow requests of one endpoint with the same cause. */
export interface SlowCauseSum extends SlowSum {
  readonly cause: SlowGroupCause;
}

export interface SlowEndpointRecord extends EndpointParts, SlowSum {
  readonly key: string;
  readonly endpoint: Endpoint;
  /** The largest loss first. Each slow request counts in one cause, or in `arrived`. */
  readonly causes: readonly SlowCauseSum[];
  /** Whether all requests were compared that the last search knew, and have nothing in common. */
  readonly isWithoutCause: boolean;
  /** The number of slow requests since the last search; 0 while `progress` is below 1. */
  readonly arrived: number;
  /** The endpoint's p50, which stands for its usual latency; `null` if the endpoint has no row. */
  readonly p50: Milliseconds | null;
  /** The latency above which the endpoint's requests are slow: its p95 (`isP95`), or the fixed threshold. */
  readonly limit: Milliseconds;
  readonly isP95: boolean;
  readonly requests: number;
}

/**
 * Why the requests of a group are slow. `connection`: a wait for a connection, or its set-up; `transfer`: the transfer
 * of the body; `none`: the requests have nothing in common, or are too few to compare.
 */
export type SlowGroupCause =
  | { readonly kind: "connection" | "transfer" | "none" }
  | {
      readonly kind: "attribute";
      /** The attribute's name as in findings: `query:NAME`, `response-header:NAME`, …; captured text. */
      readonly name: string;
      readonly value: string;
      /**
       * The numbers of compared requests: `slow` were slow, and `slowWith` of these have the attribute; `others` were
       * not slow, and `othersWith` of these have the attribute.
       */
      readonly slowWith: number;
      readonly slow: number;
      readonly othersWith: number;
      readonly others: number;
      /**
       * The median duration with the attribute, and without it. Durations exclude the wait for a connection and its
       * set-up.
       */
      readonly medianWith: Milliseconds;
      readonly medianWithout: Milliseconds;
      /** Where the comparison separated slow from quick; `null` if the counts above it are the same. */
      readonly cut: CutCounts | null;
    };

/**
 * The duration that separates slow from quick requests in the comparison, and how many requests are above it. Of the
 * `slow` requests above it, `slowWith` have the attribute; of the `others`, `othersWith`.
 */
export interface CutCounts {
  readonly at: Milliseconds;
  readonly slowWith: number;
  readonly slow: number;
  readonly othersWith: number;
  readonly others: number;
}

/** A group of slow requests that no attribute explains. `unknown`: not compared yet. */
export type SlowGroup = "connection" | "transfer" | "none" | "unknown";

/** The key of a cause, unique within its endpoint. */
export function causeKeyOf(cause: {
  readonly kind: SlowGroup | "attribute";
  readonly name?: string;
  readonly value?: string;
}): string {
  return cause.kind === "attribute" ? `${cause.name}=${cause.value}`.slice(0, LONGEST_CAUSE_KEY) : cause.kind;
}

/** The most characters of a key. Two causes of one endpoint are unlikely to begin with this many equal characters. */
export const LONGEST_CAUSE_KEY = 1_000;

/** Latencies from `lo` to below `hi`, in ms; `hi` is `null` if there is no upper bound. */
export interface Bucket {
  readonly lo: Milliseconds;
  readonly hi: Milliseconds | null;
  readonly count: number;
}

/** An endpoint's calls of one language model. */
export interface ModelFigures {
  /** Captured text. */
  readonly model: string;
  readonly calls: number;
  /** Percentiles of the time to the first token, from 5 calls with one on. */
  readonly firstToken: { readonly p50: Milliseconds; readonly p95: Milliseconds } | null;
  /** The median of tokens per second, from 5 calls with one on. */
  readonly rate: number | null;
  /**
   * The distribution of the times to the first token, and that of tokens per second; empty where the percentiles are
   * `null`.
   */
  readonly firstTokens: readonly Bucket[];
  readonly rates: readonly Bucket[];
}

export interface EndpointDetail {
  readonly stats: EndpointStats;
  /** docs/specification.md, Histogram. */
  readonly histogram: readonly Bucket[];
  /**
   * The 95 % confidence interval of p95; `high` is `null` if there is no upper bound. The interval is `null` if there
   * are no samples, or at least 1,000.
   */
  readonly p95Between: { readonly low: Milliseconds; readonly high: Milliseconds | null } | null;
  /** The percentiles in each slice of time in which the endpoint was used, oldest first. */
  readonly series: readonly {
    readonly at: Instant;
    readonly p50: Milliseconds;
    readonly p95: Milliseconds;
    readonly samples: number;
    /** The number of exchanges per bar of the histogram. Evicted exchanges count in the histogram, but not here. */
    readonly counts: readonly number[];
  }[];
  readonly sliceLength: Milliseconds;
  /** The mean time of each phase over all samples; a sample without the phase counts as 0. */
  readonly meanPhases: Phases;
  readonly meanLatency: Milliseconds | null;
  readonly slow: number;
  /** The findings that cover an exchange of the endpoint, the costliest first. */
  readonly findings: readonly FindingName[];
  /** Calls of language models by model, the most calls first; empty for other endpoints. */
  readonly models: readonly ModelFigures[];
  /**
   * The HTTP version that Weir used with the server, if that offers HTTP/3; `null` if it does not, or before a search.
   */
  readonly http3: "HTTP/1.1" | "HTTP/2" | null;
  readonly reused: number;
  readonly connected: number;
  /**
   * Decoded size divided by encoded size, over bodies with a Content-Encoding and a known decoded size; `null` if there
   * are none.
   */
  readonly compressionRatio: number | null;
  readonly contentEncoding: string | null;
}
