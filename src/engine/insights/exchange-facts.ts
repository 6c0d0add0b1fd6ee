import type { Exchange } from "../model/exchange.ts";
import type { OperationEndpoint } from "../model/finding.ts";
import type { HeaderField } from "../model/head.ts";
import type { Bytes, Instant, Milliseconds } from "../model/units.ts";

/** Facts about one body, for findings. */
export interface BodyFacts {
  /** As transferred, without chunk framing. */
  readonly size: Bytes;
  /** Equal for equal decoded bodies; "" for an empty one, `null` where the body was not kept whole. */
  readonly hash: string | null;
  /** Size after compressing a sample, scaled to the whole body; `null` for coded, binary, small or absent bodies. */
  readonly compressed: Bytes | null;
}

/**
 * One ended exchange for findings and links: its record, and facts from its heads and bodies. Computed once; holds no
 * body. Captured text: secret and hostile.
 */
export interface ExchangeFacts {
  readonly exchange: Exchange;
  readonly endpoint: OperationEndpoint;
  /** Names in lower case, in order, duplicates kept. */
  readonly requestFields: readonly HeaderField[];
  /** Of the final response; empty without one. */
  readonly responseFields: readonly HeaderField[];
  /** Decoded pairs of the query, in order. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly requestBody: BodyFacts;
  readonly responseBody: BodyFacts;
  /** GraphQL `errors` in a 200, a `grpc-status` other than 0, a JSON-RPC `error`. */
  readonly applicationError: boolean;
  /** IP address and port of the server; `null` where none is known. */
  readonly serverAddress: string | null;
  /**
   * The time for which it waited for a free connection (HAR `blocked`); `null` if it did not, or if that is unknown.
   */
  readonly queued: Milliseconds | null;
  /** Weir's own time; `null` for another program's HAR file. */
  readonly weir: Milliseconds | null;
  /** Arrival of each event of a stream or message of a WebSocket; `null` for everything else. */
  readonly events: readonly Instant[] | null;
}
