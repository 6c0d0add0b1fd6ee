import type { HeaderField } from "../model/head.ts";
import type { Result } from "../model/result.ts";
import type { Bytes } from "../model/units.ts";

/** A captured request, as it was sent. */
export interface CopiedRequest {
  readonly method: string;
  /** `scheme://host[:port]`. */
  readonly origin: string;
  /** As in the request line: path and query, or `*`. */
  readonly target: string;
  /** "http/1.0", "http/1.1", "h2". */
  readonly protocol: string;
  /** Latin1 text. */
  readonly head: string;
  /** The stored bytes of the body. */
  readonly body: Uint8Array;
  readonly bodySize: Bytes;
}

/** The text to paste; a failure if no exact copy of the request can be made. */
export type Copied = Result<string>;

/** What all copy forms start from: a request whose head is well-formed. */
export interface PlainRequest extends Omit<CopiedRequest, "head"> {
  readonly url: string;
  /** In order, without headers that are meant for a proxy. */
  readonly headers: readonly HeaderField[];
}
