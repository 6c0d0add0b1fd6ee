import type { Endpoint } from "./endpoint.ts";
import type { Bytes, Milliseconds } from "./units.ts";

/** The figures in an endpoint's row. The percentiles are `null` if there is no latency. */
export interface EndpointFigures {
  readonly endpoint: Endpoint;
  readonly requests: number;
  readonly errors: number;
  /** The number of latencies. Failures, streams and WebSockets have none. */
  readonly samples: number;
  readonly p50: Milliseconds | null;
  readonly p95: Milliseconds | null;
  readonly p99: Milliseconds | null;
  /** Mean size of response bodies as transferred, over whole responses; `null` if there are none. */
  readonly avgSize: Bytes | null;
  /**
   * Mean size of response bodies after decoding, over the bodies whose decoded size is known; `null` if there are none.
   */
  readonly avgDecodedSize: Bytes | null;
  readonly avgRequestSize: Bytes;
  /** In percent. */
  readonly errorRate: number;
  /**
   * The protocols of the endpoint's clients, by ALPN name, sorted. Empty if an earlier version of Weir stored the
   * figures.
   */
  readonly protocols: readonly string[];
}
