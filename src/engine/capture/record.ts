import { ERROR_TYPES, type Outcome, TAGS, type Tag } from "../model/exchange.ts";
import {
  bytes,
  choice,
  type Field,
  type Fields,
  figure,
  flag,
  json,
  KEPT_FROM_END,
  KEPT_FROM_START,
  nullable,
  number,
  optional,
  set,
  text,
  word,
} from "../model/exchange-fields.ts";
import { CHANGE_MARKS, type EndedExperiment } from "../model/experiment.ts";
import type { Operation } from "../model/operation.ts";
import type { Instants, Slowed } from "../model/phases.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../model/units.ts";

/*
 * The record: every field of every event, in the order in which it is packed. From it come the events' types
 * (event.ts), and the form in which events cross the threads and are stored (extensions/proxy/event-codec/event-batch.ts).
 *
 * Events are stored by their place in `RECORD`, and lists by the place of an entry, so append these at the end. Any other
 * change, such as a new field of an event, needs another `FORMAT`.
 */

/**
 * Format of all files in a session's folder. This version of Weir reads and writes only this format, and sets others
 * aside (extensions/proxy/storage/recovery.ts).
 */
export const FORMAT = 11;

/** The two directions of an exchange. */
export const SIDES = ["request", "response"] as const;

export type Side = (typeof SIDES)[number];

/**
 * Kinds of WebSocket messages and control frames (RFC 6455, 5.6 and 5.5), and `event` for an event of an event stream.
 */
export const MESSAGE_KINDS = ["text", "binary", "ping", "pong", "close", "event"] as const;

export type MessageKind = (typeof MESSAGE_KINDS)[number];

const INSTANTS = {
  startTime: figure<Instant>(),
  headReceived: nullable(figure<Instant>()),
  domainLookupStart: nullable(figure<Instant>()),
  domainLookupEnd: nullable(figure<Instant>()),
  connectStart: nullable(figure<Instant>()),
  secureConnectionStart: nullable(figure<Instant>()),
  connectEnd: nullable(figure<Instant>()),
  requestStart: nullable(figure<Instant>()),
  requestEnd: nullable(figure<Instant>()),
  responseStart: nullable(figure<Instant>()),
  responseForwarded: nullable(figure<Instant>()),
  responseEnd: nullable(figure<Instant>()),
};

export const RECORD = {
  "request-started": {
    id: figure<ExchangeId>(),
    /** When the first byte of the head was received. */
    at: figure<Instant>(),
    method: word,
    origin: word,
    /** Path and query, `*`, or `host:port` for a tunnel. Latin1 text, as on the wire. */
    target: text,
    head: text,
    /** The client's IP address, without the port. */
    clientAddress: word,
    protocol: word,
    ...KEPT_FROM_START,
    tags: set<Tag>(TAGS),
    /** The name that a HAR file gives the request's page. */
    page: optional(word),
    /**
     * Fields of the request's HAR entry as the file has them, such as `_initiator` and `_priority` (`keptFieldsOf`).
     */
    fields: optional(json<HarFields>()),
  },
  "response-started": {
    id: figure<ExchangeId>(),
    at: figure<Instant>(),
    status: number,
    head: text,
  },
  /**
   * A piece of a body as transferred, without chunk framing. After the capture cap no more pieces are emitted; sizes
   * still count all bytes.
   */
  "body-captured": {
    id: figure<ExchangeId>(),
    side: choice(SIDES),
    bytes,
  },
  /**
   * One whole WebSocket message (fragments joined, permessage-deflate undone), one control frame, or one event of an
   * event stream.
   */
  "message-captured": {
    id: figure<ExchangeId>(),
    at: figure<Instant>(),
    /** `request` if the client sent the message. */
    side: choice(SIDES),
    kind: choice(MESSAGE_KINDS),
    /** Size of the payload on the wire, the sum of all fragments. */
    size: figure<Bytes>(),
    /** The inflated payload, up to the capture cap. */
    bytes,
    /** Whether `bytes` holds less than the whole payload. */
    cut: flag,
  },
  "exchange-ended": {
    id: figure<ExchangeId>(),
    at: figure<Instant>(),
    instants: { as: "fields", of: INSTANTS } as Field<Instants>,
    outcome: { as: "outcome", of: ERROR_TYPES } as Field<Outcome>,
    requestBodySize: figure<Bytes>(),
    encodedBodySize: figure<Bytes>(),
    ...KEPT_FROM_END,
    /** How late the instants may be, in whole ms, as in `Exchange`; 0 until the outbox sets it. */
    uncertainty: figure<Milliseconds>(),
    /** All tags known by now, including those of `request-started`. */
    tags: set<Tag>(TAGS),
    /** The operation of GraphQL, JSON-RPC or SOAP that the request names; added by the engine. */
    operation: optional(json<Operation | null>()),
    /** By how long conditions delayed the exchange; absent if they did not. */
    slowed: optional(json<Slowed>()),
  },
  /** A connection to a server or to the upstream proxy was opened. */
  "connection-opened": {
    id: number,
    at: figure<Instant>(),
    /** `address:port`, IPv6 in brackets. */
    address: word,
    tls: json<TlsFacts | null>(),
  },
  /** The decoded size of a response body. Emitted off the forwarding path, some time after `exchange-ended`. */
  "body-decoded": {
    id: figure<ExchangeId>(),
    /** `null` if decoding failed. */
    size: nullable(figure<Bytes>()),
    /** Whether the body reports an error, whatever the status is. */
    failed: optional(flag),
  },
  /**
   * The name of the program that opened a client connection, as the system reports it. The engine emits the event
   * before or after the connection's first exchange.
   */
  "client-named": {
    /** The client connection's number, as in `request-started`. */
    connection: number,
    /** The program's name, as `programNamed` returns it. */
    program: word,
  },
  /** Events were dropped because the engine could not keep up. Always shown to the user. */
  "events-dropped": {
    at: figure<Instant>(),
    count: number,
  },
  /**
   * What a HAR file says of a page load, besides its requests (HAR 1.2, pages). May come before or after the requests.
   */
  "page-described": {
    /** The page's name, as in `request-started`. */
    page: word,
    title: word,
    /** When the load began; `null` if the file does not say. */
    at: nullable(figure<Instant>()),
    /** Moments of the load, after `at`, by the names that the file gives them: `onLoad`, `_largestContentfulPaint`. */
    marks: { as: "map" } as Field<ReadonlyMap<string, Milliseconds>>,
  },
  /** The exchange belongs to a unit of an experiment. Follows `request-started`, whose tags have `unit`. */
  "unit-joined": {
    id: figure<ExchangeId>(),
    /** The unit's number in the experiment, from 1. */
    unit: number,
    /** The block in which the unit's level was drawn, from 0; `null` if the exchange is not one of the target. */
    block: nullable(number),
    /** The level, ms; `null` if the exchange is not one of the target. */
    level: nullable(figure<Milliseconds>()),
  },
  /** A response of an experiment's target was held back, for 0 ms where the unit drew that. */
  "response-held": {
    id: figure<ExchangeId>(),
    /** When it was released. It was held since its first byte had arrived. */
    at: figure<Instant>(),
    /** The level that the unit drew, ms. */
    level: figure<Milliseconds>(),
  },
  /** The user says what runs from now on. */
  "change-marked": {
    at: figure<Instant>(),
    mark: choice(CHANGE_MARKS),
  },
  /** An experiment of the session has ended. Emitted by the engine. */
  "experiment-ended": {
    at: figure<Instant>(),
    experiment: json<EndedExperiment>(),
  },
  /** The TLS handshake of a client's connection has ended. Follows the connection's first recorded exchange. */
  "client-secured": {
    /** The client connection's number, as in `request-started`. */
    connection: number,
    at: figure<Instant>(),
    tls: json<TlsParameters>(),
  },
} as const satisfies Readonly<Record<string, Fields>>;

export type HarFields = Readonly<Record<string, unknown>>;

/** What both ends of a TLS connection agreed on. */
export interface TlsParameters {
  /** As OpenSSL names it, such as "TLSv1.3". */
  readonly version: string;
  /** As IANA names it, such as "TLS_AES_128_GCM_SHA256". */
  readonly cipher: string;
  /** The protocol that ALPN chose; `null` if none. */
  readonly alpn: string | null;
  readonly resumed: boolean;
}

export interface TlsFacts extends TlsParameters {
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
