import type { Endpoint, EndpointParts } from "../model/endpoint.ts";
import type { EndpointStats } from "./latency-messages.ts";

/* Two sessions side by side. */

export type CompareColumn = "endpoint" | "requests" | "p50" | "p95" | "p99" | "avgSize" | "errorRate";

/** An endpoint's figures in one session. */
export type CompareFigures = Pick<EndpointStats, "requests" | "p50" | "p95" | "p99" | "avgSize" | "errorRate">;

export interface CompareRecord extends EndpointParts {
  readonly endpoint: Endpoint;
  /** `null`: the endpoint has no row in that session. */
  readonly left: CompareFigures | null;
  readonly right: CompareFigures | null;
  /** What clients spoke in each, by ALPN names in their order; empty where it has no row or was not kept. */
  readonly protocols: { readonly left: readonly string[]; readonly right: readonly string[] };
  /** right - left where both have it; percentage points for the error rate; `null` else. */
  readonly change: { readonly [Figure in keyof CompareFigures]: number | null };
}
