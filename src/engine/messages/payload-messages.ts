import type { Endpoint, EndpointParts } from "../model/endpoint.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../model/units.ts";

/* Payload: an endpoint's body sizes, and estimates of compression. */

export const PAYLOAD_COLUMNS = [
  "endpoint",
  "requests",
  "avgRequestSize",
  "avgResponseSize",
  "compressionRatio",
  "largest",
  "oversized",
] as const;

export type PayloadColumn = (typeof PAYLOAD_COLUMNS)[number];

export interface PayloadRecord extends EndpointParts {
  readonly endpoint: Endpoint;
  readonly requests: number;
  /** The mean sizes of bodies as transferred; for responses, `null` if there is no whole response. */
  readonly avgRequestSize: Bytes;
  readonly avgResponseSize: Bytes | null;
  /**
   * Decoded size divided by encoded size, shown as "76 % smaller (4.2x)"; `null` if no encoded body could be decoded.
   */
  readonly compressionRatio: number | null;
  /** The latest Content-Encoding seen; `null` if none. */
  readonly contentEncoding: string | null;
  /** The largest response body as transferred; `null` without a whole response. */
  readonly largest: Bytes | null;
  /**
   * The number of the endpoint's oversized responses in the table. The filter `endpoint:"…" oversized:` shows them in
   * Traffic.
   */
  readonly oversized: number;
  /** Whether the endpoint has fewer than 5 requests. */
  readonly isCollecting: boolean;
}

export interface PayloadDetail {
  readonly record: PayloadRecord;
  readonly avgDecodedSize: Bytes | null;
  readonly sliceLength: Milliseconds;
  /** The slices of time in which the endpoint was used, oldest first. Means are over the rows in the table. */
  readonly slices: readonly {
    readonly at: Instant;
    readonly requests: number;
    readonly avgRequestSize: Bytes;
    /** `null` if there was no whole response in this slice. */
    readonly avgResponseSize: Bytes | null;
  }[];
  /** Ids of the latest oversized responses, at most 100, latest first. */
  readonly oversized: readonly ExchangeId[];
  /**
   * The latest response that is uncompressed text of more than 1 KB, for `estimate-compression`; `null` if there is
   * none.
   */
  readonly shrinkable: ExchangeId | null;
}

/** Sizes of one response body under other codings. */
export interface CompressionEstimate {
  /** The response body as transferred. */
  readonly size: Bytes;
  /** The estimated size under each coding. The text "gzip 4.1x" shows `size` divided by `gzip`. */
  readonly gzip: Bytes;
  readonly br: Bytes;
  readonly zstd: Bytes;
}
