import type { Buffer } from "node:buffer";

/*
 * What the HTTP/1.1 codec says (RFC 9112). It knows no socket: bytes are fed, events are pulled, one at a time, so the
 * caller decides when to go on. After `end` nothing more is pulled until the next message may begin.
 *
 *   feed(bytes) … next() → head → body* → end → next() → head …
 *                              └ refused (nothing more will come)
 */

/** How the end of a body is told (RFC 9112, 6.3). */
export type Framing =
  | { readonly kind: "none" }
  | { readonly kind: "length"; readonly length: number }
  | { readonly kind: "chunked" }
  /** Responses only: the body ends when the connection does. */
  | { readonly kind: "until-close" };

/** One header line: where it stands in the head's text. Names and values are cut out only when somebody asks. */
export interface HeaderLine {
  /** Lower-case. */
  readonly name: string;
  /** Without surrounding white space. */
  readonly value: string;
  /** The line as received, without its CRLF. */
  readonly raw: string;
  /** Where `raw` starts in the head's text. */
  readonly at: number;
}

export interface Head {
  /** The head as received, latin1, with its final empty line. */
  readonly text: string;
  readonly version: "1.0" | "1.1";
  readonly framing: Framing;
  /** Whether this side allows a further message on the connection (RFC 9112, 9.3). */
  readonly keepAlive: boolean;
  /** Every header line in order, cut on first use; a getter, so a copy by `{ ...head }` has none. */
  readonly headers: readonly HeaderLine[];
  /** Those of `headers` a hop acts on (framing, Host, next-hop words, proxy credentials, what Connection names). */
  readonly notable: readonly HeaderLine[];
  /** Lower-case members of Connection (RFC 9110, 7.6.1). */
  readonly options: readonly string[];
}

export interface RequestHead extends Head {
  readonly method: string;
  /** As sent: origin-form, absolute-form, authority-form (CONNECT) or `*`. */
  readonly target: string;
  /** Value of the one Host header, `null` in HTTP/1.0 without one. */
  readonly host: string | null;
  readonly expectContinue: boolean;
  /** Lower-case protocol of a wanted upgrade (`Upgrade` named by `Connection`), else `null`. */
  readonly upgrade: string | null;
}

export interface ResponseHead extends Head {
  readonly status: number;
  readonly reason: string;
}

/** Why bytes were refused: the status an answer about it has, and words for a person. */
export interface Problem {
  readonly status: 400 | 431 | 501 | 505;
  readonly reason: string;
}

/** `wire`: validated bytes as received, to be forwarded untouched. `data`: their payload (chunk framing taken away). */
export interface BodyEvent {
  readonly kind: "body";
  readonly wire: Buffer;
  readonly data: readonly Buffer[];
}

/** `wire`: what closes the framing (last chunk and trailers, as received; empty where there is none). */
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
