import type { Endpoint, EndpointParts } from "../model/endpoint.ts";
import type { EndpointFigures } from "../model/endpoint-figures.ts";
import type { Phase, Phases } from "../model/phases.ts";
import type { Span } from "../model/span.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../model/units.ts";
import type { Wait } from "../model/wait.ts";
import type { FindingName } from "./ranked-findings.ts";
import type { EndpointTrend } from "./trend-messages.ts";

/* Performance: the endpoints' rows, the detail of one, and the slow requests. */

export type LatencyColumn = "endpoint" | "requests" | "p50" | "p95" | "p99" | "avgSize" | "errorRate";

export type SlowCause = "all" | "server" | "transfer" | "connection" | "weir";

/** A row of the latency table: an endpoint with at least 5 requests in the session. */
export interface EndpointStats extends EndpointFigures, EndpointParts {}

/** A row of the latency grid. */
export interface LatencyRecord extends EndpointStats {
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

/** The phase whose excess over the endpoint's own median of that phase is the largest. */
export interface SlowRequestCause {
  readonly phase: Phase;
  /** The length of the phase in this exchange. */
  readonly length: Milliseconds;
  /**
   * The endpoint's median of it, with 0 for exchanges without the phase; `null` if the endpoint has no sample of it.
   */
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
  /** The endpoint's current p50; `null` while it has no row. */
  readonly p50: Milliseconds | null;
  readonly p95: Milliseconds | null;
  readonly reasons: readonly ("p95" | "fixed")[];
  /** latency / p50; `null` where p50 is unknown or 0. */
  readonly timesP50: number | null;
  readonly fixedThreshold: Milliseconds | null;
  /** `null` where no phase exceeded its median, and where the wait was longer than any excess. */
  readonly cause: SlowRequestCause | null;
  /** The wait before the first phase; `null` = did not happen. */
  readonly wait: Wait | null;
  /** The part of TTFB during which the request's body was sent; `null` without one. */
  readonly upload: Milliseconds | null;
  readonly requestBodySize: Bytes;
  /** This exchange's body size, to compare with the endpoint's mean. */
  readonly encodedBodySize: Bytes;
  readonly avgSize: Bytes | null;
  readonly spans: readonly Span[];
  readonly client: string;
  /** Of GraphQL, JSON-RPC or SOAP; `null` without one, and outside a group. */
  readonly operation: string | null;
}

/** The slow requests of one endpoint that have one cause. Each slow request is in exactly one group. */
export interface SlowGroupRecord extends EndpointParts {
  readonly key: string;
  readonly endpoint: Endpoint;
  readonly cause: SlowGroupCause;
  readonly count: number;
  /** Time beyond the endpoint's usual latency. Overlapping requests of one client count once; clients are added up. */
  readonly lost: Milliseconds;
  /** Of the latencies of this group. */
  readonly median: Milliseconds;
  /** The usual latency: the endpoint's p50; `null` while it has no row. */
  readonly p50: Milliseconds | null;
  /** All requests to the endpoint. */
  readonly requests: number;
}

/**
 * `none`: compared, but nothing in common; `unknown`: not compared yet. Others: waiting for a connection or setting it
 * up; the body.
 */
export type SlowGroupCause =
  | { readonly kind: "connection" | "transfer" | "none" | "unknown" }
  | {
      readonly kind: "attribute";
      /** As in findings: `query:NAME`, `response-header:NAME`, …; captured text. */
      readonly name: string;
      readonly value: string;
      /** How many of the compared slow requests have it, and how many of the others. */
      readonly slowWith: number;
      readonly slow: number;
      readonly othersWith: number;
      readonly others: number;
      /** The medians with and without it, excluding the wait for a connection and its set-up. */
      readonly medianWith: Milliseconds;
      readonly medianWithout: Milliseconds;
    };

/** The key of a cause within its endpoint. */
export function causeKeyOf(
  cause: Pick<SlowGroupCause, "kind"> & { readonly name?: string; readonly value?: string },
): string {
  return cause.kind === "attribute" ? `${cause.name}=${cause.value}`.slice(0, LONGEST_CAUSE_KEY) : cause.kind;
}

/**
 * Cut to this length; two causes of one endpoint hardly start with that many equal characters. Default; not from a
 * specification.
 */
export const LONGEST_CAUSE_KEY = 1_000;

/** Half-open [lo, hi) in ms; `hi` `null` = no upper bound. */
export interface Bucket {
  readonly lo: Milliseconds;
  readonly hi: Milliseconds | null;
  readonly count: number;
}

export interface EndpointDetail {
  readonly stats: EndpointStats;
  /** docs/specification.md, Histogram. */
  readonly histogram: readonly Bucket[];
  /** The 95 % confidence interval of p95 (`high` `null`: no bound); `null` from 1,000 samples on, and without any. */
  readonly p95Between: { readonly low: Milliseconds; readonly high: Milliseconds | null } | null;
  /** Percentiles per slice of the session in which the endpoint was used, oldest first. */
  readonly series: readonly {
    readonly at: Instant;
    readonly p50: Milliseconds;
    readonly p95: Milliseconds;
    readonly samples: number;
    /** By bar of the histogram; evicted exchanges are in the histogram alone. */
    readonly counts: readonly number[];
  }[];
  /** The length of each slice. */
  readonly sliceLength: Milliseconds;
  /** Mean length of each phase over all samples (0 where it did not happen), and mean latency. */
  readonly meanPhases: Phases;
  readonly meanLatency: Milliseconds | null;
  readonly slow: number;
  /** The findings that cover some of its exchanges, the costliest first. */
  readonly findings: readonly FindingName[];
  readonly reused: number;
  readonly connected: number;
  /** decoded / encoded over bodies with a Content-Encoding and a known decoded size; `null` if none. */
  readonly compressionRatio: number | null;
  readonly contentEncoding: string | null;
}
