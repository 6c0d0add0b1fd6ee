import type { Buffer } from "node:buffer";

/*
 * Events of the HTTP/1.1 codec (RFC 9112). The codec knows no sockets: the caller feeds bytes and takes events one at a
 * time. After `end`, the caller takes the next event only when the next message can begin.
 *
 *   feed(bytes) … next() → head → body* → end → next() → head …
 *                              └ refused (nothing more will come)
 */

/** How the end of a body is found (RFC 9112, 6.3). */
export type Framing =
  | { readonly kind: "none" }
  | { readonly kind: "length"; readonly length: number }
  | { readonly kind: "chunked" }
  /** For responses only: the body ends with the connection. */
  | { readonly kind: "until-close" };

export interface HeaderLine {
  /** Lower-case. */
  readonly name: string;
  /** The value without white space at its ends. */
  readonly value: string;
  /** The line as received, without its CRLF. */
  readonly raw: string;
  /** The offset of `raw` in the head's text. */
  readonly at: number;
}

export interface Head {
  /** The head as received, latin1, with its final empty line. */
  readonly text: string;
  readonly version: "1.0" | "1.1";
  readonly framing: Framing;
  /** Whether the sender allows a further message on the connection (RFC 9112, 9.3). */
  readonly keepAlive: boolean;
  /** All header lines in order, parsed on first use. */
  readonly headers: readonly HeaderLine[];
  /**
   * The headers on which a hop acts: framing, Host, hop-by-hop fields, credentials for proxies, and the fields that
   * Connection names.
   */
  readonly notable: readonly HeaderLine[];
  /** The members of Connection in lower case (RFC 9110, 7.6.1). */
  readonly options: readonly string[];
}

export interface RequestHead extends Head {
  readonly method: string;
  /** The target as sent: origin-form, absolute-form, authority-form (CONNECT) or `*`. */
  readonly target: string;
  /** The value of the only Host header; `null` in HTTP/1.0 if there is none. */
  readonly host: string | null;
  readonly expectContinue: boolean;
  /** The protocols of a requested upgrade (`Upgrade` named by `Connection`), in lower case; `null` for none. */
  readonly upgrade: string | null;
}

export interface ResponseHead extends Head {
  readonly status: number;
  readonly reason: string;
}

/** Why bytes were refused: the status of the response that Weir generates, and a reason to show. */
export interface Problem {
  readonly status: 400 | 431 | 501 | 505;
  readonly reason: string;
}

/** `wire`: checked bytes to forward; `data`: their payload, without chunk framing. */
export interface BodyEvent {
  readonly kind: "body";
  readonly wire: Buffer;
  readonly data: readonly Buffer[];
}

/** `wire`: the last chunk and the trailers to forward; empty unless the body is chunked. */
export interface EndEvent {
  readonly kind: "end";
  readonly wire: Buffer;
}

export interface HeadEvent<H extends Head> {
  readonly kind: "head";
  readonly head: H;
}

export type ReadEvent<H extends Head> = HeadEvent<H> | BodyEvent | EndEvent | Refusal;

export type RequestEvent = ReadEvent<RequestHead>;
export type ResponseEvent = ReadEvent<ResponseHead>;

/** The last event of a reader, which then parses nothing more. */
export interface Refusal {
  readonly kind: "refused";
  readonly problem: Problem;
}

export function refusal(status: Problem["status"], reason: string): Refusal {
  return { kind: "refused", problem: { status, reason } };
}

/** Limits of a head or a trailer section. A longer one is refused with 431. */
export interface Limits {
  /** The most bytes from the start line to the empty line. */
  readonly headSize: number;
  readonly lines: number;
}

/** Default (RFC 9110, 5.4, sets no limit). Servers allow heads of 8 KB to 256 KB, and some cookies have 64 KB. */
export const LIMITS: Limits = Object.freeze({ headSize: 128 * 1024, lines: 1_000 });

export const MOST_INTERIM = 100;
