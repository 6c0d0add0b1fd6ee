import type { Outcome, Tag } from "../model/exchange.ts";
import type { Instants } from "../model/phases.ts";
import type { Bytes, ExchangeId, Instant } from "../model/units.ts";
import type { WaitedFor } from "../model/wait.ts";

/* By their place in these two lists they are packed and stored: new ones come last. */

/** The two ways of a conversation. */
export const SIDES = ["request", "response"] as const;

export type Side = (typeof SIDES)[number];

/** Of WebSocket messages and control frames (RFC 6455, 5.6 and 5.5); `event`: of an event stream. */
export const MESSAGE_KINDS = ["text", "binary", "ping", "pong", "close", "event"] as const;

export type MessageKind = (typeof MESSAGE_KINDS)[number];

/**
 * What the proxy describes, in the order in which it happened per exchange:
 *
 *   request-started ─ body-captured* ─ response-started ─ body-captured* ─ exchange-ended
 *                                       └ message-captured*
 *
 * The response may start before the request's body has ended; messages are those of a WebSocket or an event stream.
 * `exchange-ended` is always the last and comes exactly once for every `request-started`. Heads are latin1 text exactly as
 * received, with their final empty line.
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
  | EventsDropped;

export interface RequestStarted {
  readonly type: "request-started";
  readonly id: ExchangeId;
  /** First byte of the head received. */
  readonly at: Instant;
  readonly method: string;
  readonly origin: string;
  /** Path and query, `*`, or `host:port` for a tunnel. */
  readonly target: string;
  readonly head: string;
  /** The client's address without its port. */
  readonly clientAddress: string;
  readonly protocol: string;
  /** Number of the client's connection; those to servers are counted apart. */
  readonly clientConnection: number | null;
  /** `null` in HTTP/1. */
  readonly clientStream: number | null;
  readonly tags: readonly Tag[];
}

export interface ResponseStarted {
  readonly type: "response-started";
  readonly id: ExchangeId;
  readonly at: Instant;
  readonly status: number;
  readonly head: string;
}

/** A piece of a body as transferred, without chunk framing. None come once the capture cap is reached; sizes still count all. */
export interface BodyCaptured {
  readonly type: "body-captured";
  readonly id: ExchangeId;
  readonly side: Side;
  readonly bytes: Uint8Array;
}

/** One whole WebSocket message (fragments joined, permessage-deflate undone), one control frame, or one event of an event stream. */
export interface MessageCaptured {
  readonly type: "message-captured";
  readonly id: ExchangeId;
  readonly at: Instant;
  /** `request` = from the client. */
  readonly side: Side;
  readonly kind: MessageKind;
  /** Payload bytes on the wire, all fragments together. */
  readonly size: Bytes;
  /** The payload, inflated, cut at the capture cap. */
  readonly bytes: Uint8Array;
  /** Whether `bytes` is less than the whole payload. */
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
  /** Of the connection to the server; `null` in HTTP/1. */
  readonly stream: number | null;
  readonly waitedFor: WaitedFor | null;
  /** All tags known by now; those of `request-started` included. */
  readonly tags: readonly Tag[];
}

/** A connection to a server (or to the upstream proxy) stands. */
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
  /** ALPN result, `null` if none. */
  readonly alpn: string | null;
  readonly resumed: boolean;
  /** Leaf first. Empty on a resumed connection. */
  readonly certificates: readonly CertificateFacts[];
}

export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  /** As in the certificate's SAN, "DNS:a, DNS:b". */
  readonly names: string;
  readonly validFrom: string;
  readonly validTo: string;
  /** SHA-256, hex pairs with colons. */
  readonly fingerprint: string;
}

/** Made off the forwarding path, some time after `exchange-ended`. */
export interface BodyDecoded {
  readonly type: "body-decoded";
  readonly id: ExchangeId;
  /** `null`: it could not be decoded. */
  readonly size: Bytes | null;
}

/** The system has told which program a client's connection is of. Made by the engine, some time after or before its first exchange. */
export interface ClientNamed {
  readonly type: "client-named";
  /** As `clientConnection`. */
  readonly connection: number;
  /** As `programNamed`. */
  readonly program: string;
}

/** The engine could not keep up and this many events are missing. Shown to the user, never hidden. */
export interface EventsDropped {
  readonly type: "events-dropped";
  readonly at: Instant;
  readonly count: number;
}

/** Where the network puts its events. */
export interface CaptureSink {
  /** Whether an exchange that starts now is to be captured: recording is on and its host in scope. */
  wanted(host: string): boolean;
  nextId(): ExchangeId;
  emit(event: CaptureEvent): void;
}
