import type { Endpoint } from "./endpoint.ts";
import type { Bytes, Milliseconds } from "./units.ts";

/** The figures of one endpoint's row; the percentiles are `null` without a latency sample. */
export interface EndpointFigures {
  readonly endpoint: Endpoint;
  readonly requests: number;
  readonly errors: number;
  /** Latency samples: completed responses, no event streams, no WebSocket lifetimes. */
  readonly samples: number;
  readonly p50: Milliseconds | null;
  readonly p95: Milliseconds | null;
  readonly p99: Milliseconds | null;
  /** Mean body of a whole response as transferred; `null` without one. */
  readonly avgSize: Bytes | null;
  /** Mean response body after decoding, over those whose decoded size is known; `null` if none. */
  readonly avgDecodedSize: Bytes | null;
  readonly avgRequestSize: Bytes;
  /** Percent. */
  readonly errorRate: number;
  /** The protocols of its clients, by ALPN name, sorted; empty where an earlier version stored the figures. */
  readonly protocols: readonly string[];
}
