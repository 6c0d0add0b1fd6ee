import type { Exchange } from "../model/exchange.ts";
import type { OperationEndpoint } from "../model/finding.ts";
import type { HeaderField } from "../model/head.ts";
import type { Bytes, Instant, Milliseconds } from "../model/units.ts";
import type { ModelCall } from "./models/read-call.ts";

/** Facts about one body, for findings. */
export interface BodyFacts {
  /** Bytes as transferred, without chunk framing. */
  readonly size: Bytes;
  /** A text that is equal for equal decoded bodies; "" for an empty body, `null` if the body was not stored whole. */
  readonly hash: string | null;
  /**
   * The estimated size after compression; `null` before the estimate, and for encoded, binary, small or absent bodies.
   */
  readonly compressed: Bytes | null;
}

/** A field of a request's body: its name, and its value as text. Names of nested JSON members are joined by dots. */
export type BodyField = readonly [name: string, value: string];

/**
 * What findings and links need of an ended exchange: its record, and facts from its heads and bodies. The bodies are
 * not kept. Contains captured text, which may be secret or hostile.
 */
export interface ExchangeFacts {
  readonly exchange: Exchange;
  readonly endpoint: OperationEndpoint;
  /** The fields in the order of the head, with duplicates. Names are in lower case. */
  readonly requestFields: readonly HeaderField[];
  /** Fields of the final response; empty if there was no response. */
  readonly responseFields: readonly HeaderField[];
  /** Decoded pairs of the query, in order. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Scalars of a JSON body or pairs of a form, in order (docs/specification.md, slow-when); `null` if unknown. */
  readonly bodyFields: readonly BodyField[] | null;
  readonly requestBody: BodyFacts;
  readonly responseBody: BodyFacts;
  /**
   * Whether the response reports an error: GraphQL `errors` in a 200, a `grpc-status` other than 0, or a JSON-RPC
   * `error`.
   */
  readonly applicationError: boolean;
  /** How long the response's body says that its content stays valid after the response; `null` if it does not say. */
  readonly statedLifetime: Milliseconds | null;
  /** IP address and port of the server; `null` if not known. */
  readonly serverAddress: string | null;
  /**
   * How long the request waited for a free connection (HAR `blocked`); `null` if it did not wait, or if the wait is
   * unknown.
   */
  readonly queued: Milliseconds | null;
  /** The time that Weir itself took; `null` for a HAR file of another program. */
  readonly weir: Milliseconds | null;
  /** When each event of a stream or each message of a WebSocket arrived; `null` for other exchanges. */
  readonly events: readonly Instant[] | null;
  /** The call to a language model; `null` for other exchanges. */
  readonly model: ModelCall | null;
}
