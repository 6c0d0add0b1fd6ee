import type { Endpoint } from "./endpoint.ts";
import type { Bytes, Milliseconds } from "./units.ts";

/** The figures in an endpoint's row. The percentiles are `null` if there is no latency. */
export interface EndpointFigures {
  readonly endpoint: Endpoint;
  readonly requests: number;
  readonly errors: number;
  /** The number of latencies: completed responses, without event streams and WebSockets. */
  readonly samples: number;
  readonly p50: Milliseconds | null;
  readonly p95: Milliseconds | null;
  readonly p99: Milliseconds | null;
  /** Mean size of whole responses' bodies as transferred; `null` if there are none. */
  readonly avgSize: Bytes | null;
  /** Mean size of response bodies after decoding, as far as known; `null` if none is known. */
  readonly avgDecodedSize: Bytes | null;
  readonly avgRequestSize: Bytes;
  /** In percent. */
  readonly errorRate: number;
  /** The protocols of the endpoint's clients, by ALPN name, sorted. Empty if an earlier version stored the figures. */
  readonly protocols: readonly string[];
}
