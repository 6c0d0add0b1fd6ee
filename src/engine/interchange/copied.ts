import type { HeaderField } from "../model/head.ts";
import type { Bytes } from "../model/units.ts";

/** A captured request as it was sent. */
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
  /** What was kept of the body. */
  readonly body: Uint8Array;
  /** What was sent of it. */
  readonly bodySize: Bytes;
}

/** A text to paste, or a sentence why there is none: a copy that would not equal the request is refused. */
export type Copied = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

/** What the forms are made from: a request whose head is known to be well-formed. */
export interface PlainRequest extends Omit<CopiedRequest, "head"> {
  readonly url: string;
  /** In order, without what was meant for the proxy alone. */
  readonly headers: readonly HeaderField[];
}

/** No copy, and why. */
export function refused(problem: string): Copied {
  return { ok: false, problem };
}
