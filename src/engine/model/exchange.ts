import type { Endpoint } from "./endpoint.ts";
import type { Instants } from "./phases.ts";
import type { Bytes, ExchangeId, Instant } from "./units.ts";
import type { WaitedFor } from "./wait.ts";

/** Why no usable response reached the client. Closed: a new cause makes the compiler list every place that must decide. */
export const ERROR_TYPES = [
  "name-not-resolved",
  "connection-refused",
  "connection-timeout",
  "host-unreachable",
  "tls-untrusted",
  "tls-expired",
  "tls-not-yet-valid",
  "tls-wrong-host",
  "tls-weak",
  "tls-protocol",
  "tls-client-certificate",
  "tls-timeout",
  "tls-failed",
  "server-reset",
  "server-closed",
  "response-malformed",
  "response-truncated",
  "response-timeout",
  "request-malformed",
  "request-truncated",
  "client-aborted",
  "client-rejected-certificate",
  "client-tls-failed",
  "upstream-proxy-failed",
  "loop-refused",
  "target-refused",
  "proxy-stopped",
] as const;

export type ErrorType = (typeof ERROR_TYPES)[number];

/** What became of the request; `null` in an exchange means that it is still in flight. */
export type Outcome =
  | { readonly kind: "responded"; readonly status: number }
  | {
      readonly kind: "failed";
      readonly errorType: ErrorType;
      /** A sentence for a person, with the system's own code where there is one. */
      readonly detail: string;
      /** The status that the server sent, or that Weir answered in its place (502, 504 …); `null` if none reached the client. */
      readonly status: number | null;
    };

/**
 * What sets an exchange apart. `tunnel`: untouched or rejected CONNECT; `malformed`: no request could be read;
 * `probe`: for the hub's Validate; `resent`: sent again from the UI; `websocket`, `event-stream`: its lifetime is no latency;
 * `https-in-clear`: absolute-form https target on a plain connection; `imported`: from a HAR; `tls-exception`: the
 * server's certificate could not be verified, and the user has allowed that for its host; `http2-offered`: the client
 * would have spoken HTTP/2, and spoke HTTP/1.1 because that is off in Weir.
 */
export const TAGS = [
  "tunnel",
  "malformed",
  "probe",
  "resent",
  "websocket",
  "event-stream",
  "https-in-clear",
  "imported",
  "tls-exception",
  "http2-offered",
] as const;

export type Tag = (typeof TAGS)[number];

/** Exchanges with one of these are in no statistic. */
export const UNCOUNTED_TAGS: readonly Tag[] = ["tunnel", "malformed", "probe", "resent"];

/** How long exchanges with one of these lived is no latency. */
export const UNTIMED_TAGS: readonly Tag[] = ["websocket", "event-stream", "tunnel"];

/** Whether one of `wanted` is among the tags. */
export function hasOneOf(tags: readonly Tag[], wanted: readonly Tag[]): boolean {
  // Nearly none has any.
  return tags.length > 0 && tags.some((tag) => wanted.includes(tag));
}

/** One request and what became of it. Frozen; a later state of the same exchange is a new record. */
export interface Exchange {
  readonly id: ExchangeId;
  readonly endpoint: Endpoint;
  readonly method: string;
  /** `scheme://host[:port]`, the port only where it is not the scheme's own. */
  readonly origin: string;
  /** Path and query as they were sent, `*`, or `host:port` for a tunnel. */
  readonly target: string;
  /** Client address and User-Agent: who asked, as far as it can be told. */
  readonly client: string;
  readonly instants: Instants;
  /** When it ended, in whatever way; `null` in flight. */
  readonly endTime: Instant | null;
  readonly outcome: Outcome | null;
  /** Body bytes as transferred, without chunk framing. */
  readonly requestBodySize: Bytes;
  /** Response body bytes as transferred (still content-encoded), without chunk framing. */
  readonly encodedBodySize: Bytes;
  /** After content decoding; `null` where it could not be decoded or is not known yet. */
  readonly decodedBodySize: Bytes | null;
  /** The response's Content-Encoding, lower-case; `null` if none. */
  readonly contentEncoding: string | null;
  /** The response's media type without parameters, lower-case; `null` if none. */
  readonly contentType: string | null;
  /** Whether a server connection that had already carried a request carried this one; `null` if none did. */
  readonly reused: boolean | null;
  /** The server connection that carried it, as in `connection-opened`; `null` if none did. */
  readonly connection: number | null;
  /** Its stream of that connection (RFC 9113, 5.1.1); `null` where the server was spoken to in HTTP/1. */
  readonly stream: number | null;
  /** For what of the server's side it was kept back; `null` if it was not. */
  readonly waitedFor: WaitedFor | null;
  /** The client's connection on which it came, counted apart from those to servers; `null` where nobody told. */
  readonly clientConnection: number | null;
  /** Its stream of that one; `null` where the client spoke HTTP/1. */
  readonly clientStream: number | null;
  /** The name of the client's program, as `programNamed`; `null` where it is not known, or not yet. */
  readonly program: string | null;
  /** What the client spoke, by its ALPN name (RFC 7301): "http/1.0", "http/1.1", "h2". */
  readonly protocol: string;
  readonly tags: readonly Tag[];
}

/** A protocol as people write it. */
export function protocolName(protocol: string): string {
  return protocol === "h2" ? "HTTP/2" : protocol.toUpperCase();
}

/** The status that the client saw, if any. */
export function statusOf(outcome: Outcome | null): number | null {
  return outcome === null ? null : outcome.status;
}

/** decisions.md: status >= 400, or no usable response. In flight is no error. */
export function isError(outcome: Outcome | null): boolean {
  if (outcome === null) return false;
  return outcome.kind === "failed" || outcome.status >= 400;
}
