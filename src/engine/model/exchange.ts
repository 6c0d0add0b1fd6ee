import type { Endpoint } from "./endpoint.ts";
import { KEPT_NAMES, type KeptFields } from "./exchange-fields.ts";
import { type Instants, latencyOf, type Slowed } from "./phases.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "./units.ts";

/**
 * Why no usable response reached the client. The list is closed: for a new type, the compiler finds every place that
 * must handle it.
 */
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
  "tls-renegotiation",
  "request-refused",
  "network-failed",
] as const;

export type ErrorType = (typeof ERROR_TYPES)[number];

/** How a request ended. An exchange in flight has no outcome. */
export type Outcome =
  | { readonly kind: "responded"; readonly status: number }
  | {
      readonly kind: "failed";
      readonly errorType: ErrorType;
      /** A sentence for the user, with the system's error code if there is one. */
      readonly detail: string;
      /** The status that reached the client, from the server or from Weir itself (502, 504 …); `null` if none did. */
      readonly status: number | null;
    };

/**
 * Special properties of an exchange:
 *
 * - `tunnel`: a CONNECT, forwarded untouched or rejected
 * - `malformed`: no request could be parsed
 * - `probe`: the request of the hub's Validate tab
 * - `resent`: sent again from the window
 * - `websocket`, `event-stream`, `stream` (any other stream, see `streamTagOf`): their times are no latencies
 * - `https-in-clear`: an absolute https target on a connection without TLS
 * - `imported`: read from a HAR file
 * - `tls-exception`: the server's certificate could not be verified, but the user allowed that for the host
 * - `http2-offered`: the client used HTTP/1.1 because HTTP/2 is off in Weir
 * - `browser-cache`: read from a HAR file, with a response from the browser's cache or a service worker
 * - `mocked`: read from a HAR file, with a response that a test made up instead of a server
 * - `repaired:…`: a malformed part of the server's response was corrected before it was forwarded
 * - `no-request`: a tunnel whose client closed the connection when it got our certificate, without a TLS alert
 * - `not-http`: a tunnel whose TLS carries a protocol other than HTTP
 * - `refused`: requests to Weir itself that a web page can provoke, in one row
 * - `head-cut`: only a part of the request's or the response's head is stored (`storedHead`)
 * - `application-error`: a response that reports an error, whatever its status is (`isApplicationError`)
 * - `unit`: part of a unit of an experiment
 * - `held`: a response that an experiment held back
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
  "browser-cache",
  "mocked",
  "repaired:blank-before-colon",
  "repaired:folded-line",
  "repaired:repeated-length",
  "repaired:length-beside-chunked",
  "repaired:transfer-encoding",
  "repaired:bare-line-feed",
  "repaired:chunk-size",
  "repaired:status-line",
  "repaired:empty-line-first",
  "stream",
  "no-request",
  "not-http",
  "application-error",
  "refused",
  "head-cut",
  "unit",
  "held",
] as const;

export type Tag = (typeof TAGS)[number];

/** Tags for corrections of a server's response. */
export type Repair = Extract<Tag, `repaired:${string}`>;

export function isRepair(tag: Tag): tag is Repair {
  return tag.startsWith("repaired:");
}

/** Exchanges with one of these tags are in no statistic. */
export const UNCOUNTED_TAGS: readonly Tag[] = [
  "tunnel",
  "malformed",
  "probe",
  "resent",
  "browser-cache",
  "mocked",
  "refused",
  "unit",
];

/** The times of exchanges with one of these tags are no latencies. */
export const UNTIMED_TAGS: readonly Tag[] = ["websocket", "event-stream", "stream", "tunnel"];

/**
 * Limits of `uncertainty` (docs/specification.md, Uncertain times). From `UNCERTAIN_FROM` on, the exchange is marked;
 * from `TOO_UNCERTAIN_FROM` on, causes and trends ignore it.
 */
export const UNCERTAIN_FROM: Milliseconds = 5;
const TOO_UNCERTAIN_FROM: Milliseconds = 20;

/** Whether the exchange's times are too uncertain for causes and trends. */
export function isTooUncertain({ uncertainty }: { readonly uncertainty: Milliseconds }): boolean {
  return uncertainty >= TOO_UNCERTAIN_FROM;
}

/** The uncertainty where it is too large for causes, else 0. */
export function largeUncertaintyOf({ uncertainty }: { readonly uncertainty: Milliseconds }): Milliseconds {
  return isTooUncertain({ uncertainty }) ? uncertainty : 0;
}

/** Whether the tags include one of `wanted`. */
export function hasOneOf(tags: readonly Tag[], wanted: readonly Tag[]): boolean {
  // Checks the length first, because most exchanges have no tags.
  return tags.length > 0 && tags.some((tag) => wanted.includes(tag));
}

/** One request and its outcome. Frozen: a later state of the same exchange is a new object. */
export interface Exchange extends KeptFields {
  readonly id: ExchangeId;
  readonly endpoint: Endpoint;
  readonly method: string;
  /** `scheme://host[:port]`, without the scheme's default port. */
  readonly origin: string;
  /**
   * Path and query as sent, decoded as UTF-8 (`quoting/utf8.ts`); also `*`, or `host:port` for a tunnel. A long one is
   * abbreviated (`abbreviatedTarget`).
   */
  readonly target: string;
  /** The client's address, and its User-Agent if there is one. */
  readonly client: string;
  readonly instants: Instants;
  /** When the exchange ended, successfully or not; `null` while it is in flight. */
  readonly endTime: Instant | null;
  readonly outcome: Outcome | null;
  /** Bytes of the request's body as transferred, without chunk framing. */
  readonly requestBodySize: Bytes;
  /** Bytes of the response's body as transferred, still encoded, without chunk framing. */
  readonly encodedBodySize: Bytes;
  /** Bytes of the response's body after decoding; `null` if decoding failed or is not done yet. */
  readonly decodedBodySize: Bytes | null;
  /** The response's Content-Encoding, lower-case; `null` if none. */
  readonly contentEncoding: string | null;
  /** The response's media type without parameters, lower-case; `null` if none. */
  readonly contentType: string | null;
  /**
   * By how many ms the instants may be late, because the thread that reads the clock was busy. A whole number; 0 if the
   * instants are exact.
   */
  readonly uncertainty: Milliseconds;
  /** By how long conditions delayed the exchange; `null` if they did not, and while it is in flight. */
  readonly slowed: Slowed | null;
  /** The name of the client's program (`programNamed`); `null` if it is unknown or not known yet. */
  readonly program: string | null;
  /**
   * The protocol between client and Weir, by ALPN name (RFC 7301): "http/1.0", "http/1.1", "h2"; `UNKNOWN_PROTOCOL` if
   * a HAR file does not name it.
   */
  readonly protocol: string;
  readonly tags: readonly Tag[];
}

/**
 * The values of an exchange before its events give them. Of these, an exchange takes those that the record
 * (`capture/record.ts`) has under the same names.
 */
export const UNKNOWN_YET = Object.freeze({
  endTime: null,
  outcome: null,
  requestBodySize: 0,
  encodedBodySize: 0,
  decodedBodySize: null,
  contentEncoding: null,
  contentType: null,
  uncertainty: 0,
  slowed: null,
  program: null,
  ...(Object.fromEntries(KEPT_NAMES.map((name) => [name, null])) as Readonly<Record<keyof KeptFields, null>>),
}) satisfies Partial<Exchange>;

/** The protocol and the method of a request of which a HAR file does not say them. */
export const UNKNOWN_PROTOCOL = "unknown";
export const UNKNOWN_METHOD = "?";

/** Returns the usual name of a protocol: "HTTP/2" for "h2", "HTTP/1.1" for "http/1.1"; "" if it is not known. */
export function protocolName(protocol: string): string {
  if (protocol === UNKNOWN_PROTOCOL) return "";
  return protocol === "h2" ? "HTTP/2" : protocol.toUpperCase();
}

/**
 * Whether the size of the response's body counts in the endpoint's figures. It does if the response is whole and is not
 * a 304, which has no body.
 */
export function isSizeSample(outcome: Outcome | null): boolean {
  return outcome?.kind === "responded" && outcome.status !== NOT_MODIFIED;
}

/** RFC 9110, 15.4.5. */
export const NOT_MODIFIED = 304;

/** The status sent to the client; `null` if there was none. */
export function statusOf(outcome: Outcome | null): number | null {
  return outcome === null ? null : outcome.status;
}

/**
 * Whether the exchange counts as an error: its status is >= 400, no usable response came, or the response reports an
 * error (docs/specification.md, Operations).
 */
export function hasFailed({ outcome, tags }: Pick<Exchange, "outcome" | "tags">): boolean {
  return isError(outcome) || (outcome !== null && hasOneOf(tags, APPLICATION_ERROR));
}

const APPLICATION_ERROR: readonly Tag[] = ["application-error"];

/** Whether the status is >= 400 or no usable response came. Exchanges in flight are no errors. */
export function isError(outcome: Outcome | null): boolean {
  if (outcome === null) return false;
  return outcome.kind === "failed" || outcome.status >= 400;
}

/** RFC 9110, 15.2.2: after this response both sides use another protocol. */
export const SWITCHING_PROTOCOLS = 101;

/**
 * Returns the tag of a media type (lower-case, without parameters) that always means a stream; else `null`
 * (docs/specification.md, Streams). Other streams are recognized only while they arrive, and get the tag `stream` at
 * their end.
 */
export function streamTagOf(contentType: string | null): Tag | null {
  return contentType === null ? null : (STREAMS.get(contentType) ?? null);
}

/** Media types of streams: server-sent events (WHATWG HTML, 9.2), series of images, JSON records without an end. */
const STREAMS: ReadonlyMap<string, Tag> = new Map([
  ["text/event-stream", "event-stream"],
  ["multipart/x-mixed-replace", "stream"],
  ["application/stream+json", "stream"],
] as const);

/**
 * Whether the exchange has no latency: it is a stream, a WebSocket or a tunnel, or it switched to another protocol
 * (101).
 */
export function isLasting(tags: readonly Tag[], status: number | null): boolean {
  return status === SWITCHING_PROTOCOLS || hasOneOf(tags, UNTIMED_TAGS);
}

/**
 * Returns the latency of an exchange with a whole response, from the server or from Weir; `null` for streams and for
 * other exchanges (docs/specification.md, What counts).
 */
export function timedLatencyOf(exchange: Exchange): Milliseconds | null {
  const { outcome, tags, instants, waitedFor } = exchange;
  if (outcome?.kind !== "responded" || isLasting(tags, outcome.status)) return null;
  return latencyOf(instants, waitedFor === "browser");
}

/**
 * Returns the time from the exchange's start to its failure. `null` if the exchange did not fail, or if it failed after
 * a stream had begun. Also `null` if the instant of its head or of its end is unknown.
 */
export function failedAfterOf(exchange: Exchange): Milliseconds | null {
  const { outcome, tags, instants, endTime } = exchange;
  if (outcome?.kind !== "failed" || endTime === null || instants.headReceived === null) return null;
  return isLasting(tags, outcome.status) && instants.responseStart !== null ? null : endTime - instants.startTime;
}
