import type { Endpoint, EndpointParts } from "../model/endpoint.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../model/units.ts";

/* Payload: the sizes of an endpoint's bodies, and what compressing one of them would give. */

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
  /** Mean bodies as transferred; of responses `null` where no whole one came. */
  readonly avgRequestSize: Bytes;
  readonly avgResponseSize: Bytes | null;
  /** decoded / encoded: "76 % smaller (4.2x)"; `null` without a compressed body that decoded. */
  readonly compressionRatio: number | null;
  /** The latest Content-Encoding seen; `null` if none. */
  readonly contentEncoding: string | null;
  /** The largest response body as transferred; `null` where no whole one came. */
  readonly largest: Bytes | null;
  /** Its oversized responses that are still in the list; `endpoint:"…" oversized:` filters Traffic to them. */
  readonly oversized: number;
}

export interface PayloadDetail {
  readonly record: PayloadRecord;
  readonly avgDecodedSize: Bytes | null;
  /** Milliseconds that one slice covers. */
  readonly sliceLength: Milliseconds;
  /** Slices of the session in which the endpoint was used, oldest first; means over what is still in the list. */
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

/** Sizes that other codings would give to one response body. */
export interface CompressionEstimate {
  /** The response body as transferred. */
  readonly size: Bytes;
  /** "gzip 4.1x" is size / gzip. */
  readonly gzip: Bytes;
  readonly br: Bytes;
  readonly zstd: Bytes;
}
