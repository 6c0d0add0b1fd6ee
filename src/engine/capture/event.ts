import type { Outcome, Tag } from "../model/exchange.ts";
import type { Operation } from "../model/operation.ts";
import type { Instants } from "../model/phases.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../model/units.ts";
import type { WaitedFor } from "../model/wait.ts";

/*
 * Events are packed and stored with indexes into the lists `SIDES` and `MESSAGE_KINDS`, so append new entries at the
 * end.
 */

/** The two directions of an exchange. */
export const SIDES = ["request", "response"] as const;

export type Side = (typeof SIDES)[number];

/**
 * Kinds of WebSocket messages and control frames (RFC 6455, 5.6 and 5.5), and `event` for an event of an event stream.
 */
export const MESSAGE_KINDS = ["text", "binary", "ping", "pong", "close", "event"] as const;

export type MessageKind = (typeof MESSAGE_KINDS)[number];

/**
 * The proxy's events, in order of occurrence per exchange:
 *
 *   request-started ─ body-captured* ─ response-started ─ body-captured* ─ exchange-ended
 *                                       └ message-captured*
 *
 * The response may start before the request's body has ended; messages are those of a WebSocket or an event stream.
 * Each `request-started` is followed by exactly one `exchange-ended`; only `body-decoded` may come later. Heads are
 * latin1 text exactly as received, with their final empty line.
 */
export type CaptureEvent =
  | RequestStarted
  | ResponseStarted
  | BodyCaptured
  | MessageCaptured
  | ExchangeEnded
  | ConnectionOpened
  | BodyDecoded
  | ClientNamed
  | PageDescribed
  | EventsDropped;

export interface RequestStarted {
  readonly type: "request-started";
  readonly id: ExchangeId;
  /** When the first byte of the head was received. */
  readonly at: Instant;
  readonly method: string;
  readonly origin: string;
  /** Path and query, `*`, or `host:port` for a tunnel. Latin1 text, as on the wire. */
  readonly target: string;
  readonly head: string;
  /** The client's IP address, without the port. */
  readonly clientAddress: string;
  readonly protocol: string;
  /** The client connection's number. Connections to servers are numbered separately. */
  readonly clientConnection: number | null;
  /** The number of the HTTP/2 stream on the client's connection; `null` in HTTP/1. */
  readonly clientStream: number | null;
  readonly tags: readonly Tag[];
  /** The name that a HAR file gives the request's page. */
  readonly page?: string;
  /** Fields of the request's HAR entry as the file has them, such as `_initiator` and `_priority` (`keptFieldsOf`). */
  readonly fields?: HarFields;
}

export type HarFields = Readonly<Record<string, unknown>>;

export interface ResponseStarted {
  readonly type: "response-started";
  readonly id: ExchangeId;
  readonly at: Instant;
  readonly status: number;
  readonly head: string;
}

/**
 * A piece of a body as transferred, without chunk framing. After the capture cap no more pieces are emitted; sizes
 * still count all bytes.
 */
export interface BodyCaptured {
  readonly type: "body-captured";
  readonly id: ExchangeId;
  readonly side: Side;
  readonly bytes: Uint8Array;
}

/**
 * One whole WebSocket message (fragments joined, permessage-deflate undone), one control frame, or one event of an
 * event stream.
 */
export interface MessageCaptured {
  readonly type: "message-captured";
  readonly id: ExchangeId;
  readonly at: Instant;
  /** `request` if the client sent the message. */
  readonly side: Side;
  readonly kind: MessageKind;
  /** Size of the payload on the wire, the sum of all fragments. */
  readonly size: Bytes;
  /** The inflated payload, up to the capture cap. */
  readonly bytes: Uint8Array;
  /** Whether `bytes` holds less than the whole payload. */
  readonly cut: boolean;
}

export interface ExchangeEnded {
  readonly type: "exchange-ended";
  readonly id: ExchangeId;
  readonly at: Instant;
  readonly instants: Instants;
  readonly outcome: Outcome;
  readonly requestBodySize: Bytes;
  readonly encodedBodySize: Bytes;
  readonly connection: number | null;
  readonly reused: boolean | null;
  /** The number of the HTTP/2 stream on the server connection; `null` in HTTP/1. */
  readonly stream: number | null;
  readonly waitedFor: WaitedFor | null;
  /** How late the instants may be, in whole ms, as in `Exchange`; 0 until the outbox sets it. */
  readonly uncertainty: Milliseconds;
  /** All tags known by now, including those of `request-started`. */
  readonly tags: readonly Tag[];
  /** The operation of GraphQL, JSON-RPC or SOAP that the request names; added by the engine. */
  readonly operation?: Operation | null;
}

/** A connection to a server or to the upstream proxy was opened. */
export interface ConnectionOpened {
  readonly type: "connection-opened";
  readonly id: number;
  readonly at: Instant;
  /** `address:port`, IPv6 in brackets. */
  readonly address: string;
  readonly tls: TlsFacts | null;
}

export interface TlsFacts {
  readonly version: string;
  readonly cipher: string;
  /** The protocol that ALPN chose; `null` if none. */
  readonly alpn: string | null;
  readonly resumed: boolean;
  /** The server's chain, leaf first. Empty on a resumed connection. */
  readonly certificates: readonly CertificateFacts[];
}

export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  /** The certificate's SAN, such as "DNS:a, DNS:b". */
  readonly names: string;
  readonly validFrom: string;
  readonly validTo: string;
  /** SHA-256, hex pairs with colons. */
  readonly fingerprint: string;
}

/** The decoded size of a response body. Emitted off the forwarding path, some time after `exchange-ended`. */
export interface BodyDecoded {
  readonly type: "body-decoded";
  readonly id: ExchangeId;
  /** `null` if decoding failed. */
  readonly size: Bytes | null;
  /** Whether the body reports an error, whatever the status is. */
  readonly failed?: boolean;
}

/**
 * The name of the program that opened a client connection, as the system reports it. The engine emits the event before
 * or after the connection's first exchange.
 */
export interface ClientNamed {
  readonly type: "client-named";
  /** The client connection's number, as in `RequestStarted`. */
  readonly connection: number;
  /** The program's name, as `programNamed` returns it. */
  readonly program: string;
}

/** What a HAR file says of a page load, besides its requests (HAR 1.2, pages). May come before or after the requests. */
export interface PageDescribed {
  readonly type: "page-described";
  /** The page's name, as in `RequestStarted.page`. */
  readonly page: string;
  readonly title: string;
  /** When the load began; `null` if the file does not say. */
  readonly at: Instant | null;
  /** Moments of the load, after `at`, by the names that the file gives them: `onLoad`, `_largestContentfulPaint`. */
  readonly marks: ReadonlyMap<string, Milliseconds>;
}

/** Events were dropped because the engine could not keep up. Always shown to the user. */
export interface EventsDropped {
  readonly type: "events-dropped";
  readonly at: Instant;
  readonly count: number;
}

/** The destination of the network's events. */
export interface CaptureSink {
  /** Whether to capture an exchange that starts now: recording is on, and `host` is in scope. */
  wanted(host: string): boolean;
  nextId(): ExchangeId;
  emit(event: CaptureEvent): void;
}
