import type { Endpoint, EndpointParts } from "../model/endpoint.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../model/units.ts";

/* Payload: an endpoint's body sizes, and estimates of compression. */

export type PayloadColumn =
  | "endpoint"
  | "requests"
  | "avgRequestSize"
  | "avgResponseSize"
  | "compressionRatio"
  | "largest"
  | "oversized";

export interface PayloadRecord extends EndpointParts {
  readonly endpoint: Endpoint;
  readonly requests: number;
  /** Mean bodies as transferred; for responses `null` without a whole one. */
  readonly avgRequestSize: Bytes;
  readonly avgResponseSize: Bytes | null;
  /** decoded / encoded: "76 % smaller (4.2x)"; `null` without a compressed body that decoded. */
  readonly compressionRatio: number | null;
  /** The latest Content-Encoding seen; `null` if none. */
  readonly contentEncoding: string | null;
  /** The largest response body as transferred; `null` without a whole response. */
  readonly largest: Bytes | null;
  /** The endpoint's oversized responses in the table; `endpoint:"…" oversized:` filters Traffic to them. */
  readonly oversized: number;
  /** Whether it has fewer than 5 requests. */
  readonly isCollecting: boolean;
}

export interface PayloadDetail {
  readonly record: PayloadRecord;
  readonly avgDecodedSize: Bytes | null;
  /** The length of one slice. */
  readonly sliceLength: Milliseconds;
  /** Slices of the session in which the endpoint was used, oldest first; means over the rows in the table. */
  readonly slices: readonly {
    readonly at: Instant;
    readonly requests: number;
    readonly avgRequestSize: Bytes;
    /** `null`: no whole response in this slice. */
    readonly avgResponseSize: Bytes | null;
  }[];
  /** Ids of the latest oversized responses, at most 100, latest first. */
  readonly oversized: readonly ExchangeId[];
  /** The latest uncompressed text response over 1 KB, for `estimate-compression`; `null` if there is none. */
  readonly shrinkable: ExchangeId | null;
}

/** Sizes of one response body under other codings. */
export interface CompressionEstimate {
  /** The response body as transferred. */
  readonly size: Bytes;
  /** "gzip 4.1x" is size / gzip. */
  readonly gzip: Bytes;
  readonly br: Bytes;
  readonly zstd: Bytes;
}
