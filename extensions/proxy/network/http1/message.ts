import type { Buffer } from "node:buffer";

/*
 * Events of the HTTP/1.1 codec (RFC 9112). It knows no sockets: bytes are fed and events are pulled one at a time, so
 * the caller decides when to continue. After `end` the caller pulls again only when the next message may begin.
 *
 *   feed(bytes) … next() → head → body* → end → next() → head …
 *                              └ refused (nothing more will come)
 */

/** How the end of a body is determined (RFC 9112, 6.3). */
export type Framing =
  | { readonly kind: "none" }
  | { readonly kind: "length"; readonly length: number }
  | { readonly kind: "chunked" }
  /** Responses only: the body ends with the connection. */
  | { readonly kind: "until-close" };

/** One header line, as an offset in the head's text; name and value are extracted on demand. */
export interface HeaderLine {
  /** Lower-case. */
  readonly name: string;
  /** Without surrounding white space. */
  readonly value: string;
  /** The line as received, without its CRLF. */
  readonly raw: string;
  /** Offset of `raw` in the head's text. */
  readonly at: number;
}

export interface Head {
  /** The head as received, latin1, with its final empty line. */
  readonly text: string;
  readonly version: "1.0" | "1.1";
  readonly framing: Framing;
  /** Whether this side allows a further message on the connection (RFC 9112, 9.3). */
  readonly keepAlive: boolean;
  /** Every header line in order, parsed on first use; a getter, so `{ ...head }` does not copy it. */
  readonly headers: readonly HeaderLine[];
  /**
   * The headers that a hop acts on (framing, Host, hop-by-hop fields, proxy credentials, those that Connection names).
   */
  readonly notable: readonly HeaderLine[];
  /** Lower-case members of Connection (RFC 9110, 7.6.1). */
  readonly options: readonly string[];
}

export interface RequestHead extends Head {
  readonly method: string;
  /** As sent: origin-form, absolute-form, authority-form (CONNECT) or `*`. */
  readonly target: string;
  /** Value of the single Host header; `null` in HTTP/1.0 without one. */
  readonly host: string | null;
  readonly expectContinue: boolean;
  /** Lower-case protocol of a requested upgrade (`Upgrade` named by `Connection`), else `null`. */
  readonly upgrade: string | null;
}

export interface ResponseHead extends Head {
  readonly status: number;
  readonly reason: string;
}

/** Why bytes were refused: the status of the generated response, and a reason to display. */
export interface Problem {
  readonly status: 400 | 431 | 501 | 505;
  readonly reason: string;
}

/** `wire`: validated bytes as received, to be forwarded untouched. `data`: their payload, without chunk framing. */
export interface BodyEvent {
  readonly kind: "body";
  readonly wire: Buffer;
  readonly data: readonly Buffer[];
}

/** `wire`: the end of the framing (last chunk and trailers, as received; empty where there is none). */
export interface EndEvent {
  readonly kind: "end";
  readonly wire: Buffer;
}

export type ReadEvent<H extends Head> =
  | { readonly kind: "head"; readonly head: H }
  | BodyEvent
  | EndEvent
  | { readonly kind: "refused"; readonly problem: Problem };

export type RequestEvent = ReadEvent<RequestHead>;
export type ResponseEvent = ReadEvent<ResponseHead>;
