import type { Endpoint, EndpointParts } from "../model/endpoint.ts";
import type { Milliseconds } from "../model/units.ts";
import type { EndpointStats } from "./latency-messages.ts";

/* Comparison of two sessions. */

export type CompareColumn = "endpoint" | "verdict" | "p50" | "p95" | "avgSize" | "errorRate";

/** An endpoint's figures in one session. */
export type CompareFigures = Pick<EndpointStats, "requests" | "p50" | "p95" | "p99" | "avgSize" | "errorRate">;

/** The verdict on an endpoint's latencies from left to right; `absent`: one of the sessions has none. */
export const COMPARE_VERDICTS = ["slower", "faster", "unknown", "same", "absent"] as const;

export type CompareVerdict = (typeof COMPARE_VERDICTS)[number];

/** The shares of latencies in bins of one logarithmic axis, each session's greatest share 1. */
export interface Distributions {
  readonly from: Milliseconds;
  readonly to: Milliseconds;
  readonly left: readonly number[];
  readonly right: readonly number[];
}

export interface CompareRecord extends EndpointParts {
  readonly endpoint: Endpoint;
  /** `null`: the endpoint has no row in that session. */
  readonly left: CompareFigures | null;
  readonly right: CompareFigures | null;
  readonly verdict: CompareVerdict;
  /** As in `Change`. */
  readonly note: string | null;
  /** Latencies of each session. */
  readonly samples: { readonly left: number; readonly right: number };
  /** `null` where a session has no latency. */
  readonly distributions: Distributions | null;
  /**
   * The protocols of its clients in each session, by ALPN name, sorted; empty where it has no row or they were not
   * stored.
   */
  readonly protocols: { readonly left: readonly string[]; readonly right: readonly string[] };
  /** right - left, in percentage points for the error rate; `null` unless both have the figure. */
  readonly change: { readonly [Figure in keyof CompareFigures]: number | null };
}

/** The number of endpoints by verdict. */
export type Comparison = Readonly<Record<CompareVerdict, number>>;
