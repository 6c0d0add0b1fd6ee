import type { Values } from "../model/exchange-fields.ts";
import type { ExchangeId } from "../model/units.ts";
import type { RECORD } from "./record.ts";

export {
  type CertificateFacts,
  type HarFields,
  MESSAGE_KINDS,
  type MessageKind,
  SIDES,
  type Side,
  type TlsFacts,
  type TlsParameters,
} from "./record.ts";

type Type = keyof typeof RECORD;

type EventOf<Of extends Type> = { readonly type: Of } & Values<(typeof RECORD)[Of]>;

/**
 * The proxy's events, in order of occurrence per exchange:
 *
 *   request-started ─ body-captured* ─ response-started ─ body-captured* ─ exchange-ended
 *                  └ unit-joined            ├ message-captured*
 *                                           └ response-held
 *
 * The response may start before the request's body has ended; messages are those of a WebSocket or an event stream.
 * Each `request-started` is followed by exactly one `exchange-ended`; only `body-decoded` may come later. Heads are
 * latin1 text exactly as received, with their final empty line.
 */
export type CaptureEvent = { [Of in Type]: EventOf<Of> }[Type];

export type RequestStarted = EventOf<"request-started">;
export type ResponseStarted = EventOf<"response-started">;
export type BodyCaptured = EventOf<"body-captured">;
export type MessageCaptured = EventOf<"message-captured">;
export type ExchangeEnded = EventOf<"exchange-ended">;
export type ConnectionOpened = EventOf<"connection-opened">;
export type BodyDecoded = EventOf<"body-decoded">;
export type ClientNamed = EventOf<"client-named">;
export type ClientSecured = EventOf<"client-secured">;
export type PageDescribed = EventOf<"page-described">;
export type UnitJoined = EventOf<"unit-joined">;
export type ResponseHeld = EventOf<"response-held">;

/** The destination of the network's events. */
export interface CaptureSink {
  /** Whether to capture an exchange that starts now: recording is on, and `host` is in scope. */
  wanted(host: string): boolean;
  nextId(): ExchangeId;
  emit(event: CaptureEvent): void;
}
