import type { Socket } from "node:net";
import type { TlsFacts } from "../../../src/engine/capture/event.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import type { DialTimes } from "./dial.ts";
import type { ResponseEvent } from "./http1/message.ts";
import type { Sink } from "./outflow.ts";

/** Whoever's exchange a connection carries at the moment. */
export interface ConnectionUser {
  /** `at`: when they came, where that is known better than by now. */
  received(bytes: Buffer, at?: Instant | null): void;
  /** The request's head has gone out, later than it was written. */
  sent(at: Instant): void;
  /** Nothing more will come; `null`: the server closed its side in order. Comes once. */
  serverEnded(error: Error | null): void;
  serverDrained(): void;
}

/** What carries one exchange to its server: a connection of its own, or a stream of one that is shared. */
export interface ServerConnection {
  readonly id: number;
  /** Number of its stream once its request has begun; `null` until then, and on a connection of its own. */
  readonly stream: number | null;
  readonly socket: Sink & { pause(): unknown; resume(): unknown; isPaused(): boolean };
  readonly reader: ResponseSource;
  readonly protocol: "http/1.1" | "h2";
  /** What of its making the exchange at hand has waited for; `null`: it was there already. */
  readonly times: DialTimes | null;
  readonly tls: TlsFacts | null;
  readonly addressAndPort: string;
  readonly openedAt: Instant;
  /** Whether its certificate could not be verified, and that was allowed. */
  readonly excepted: boolean;
  /** Whether an exchange was carried before. */
  readonly used: boolean;
  /** Whether `connection-opened` was emitted. */
  announced: boolean;
  /** Whether it may carry another exchange. */
  readonly isOpen: boolean;
  /** Whether it ended, and the server has said that it did nothing about the request (RFC 9113, 8.7). */
  readonly refused: boolean;
  /** The code by which the server has reset the request's stream, where that is for the client too; `null`: it did not. */
  readonly resetCode: number | null;
  /** `null`: nobody's; bytes that come then were not asked for, and end it. */
  set user(user: ConnectionUser | null);
  /** Before a body is sent: what the server says is read also when it no longer listens. */
  outliveSending(): void;
  /** `code`: by which the client has reset its stream, if it did. */
  destroy(code?: number | null): void;
  /** Leaves the bare socket to the caller, for a protocol that is not ours. */
  handOver(): Socket;
}

/** The answers on one connection, as events of HTTP/1.1 messages. */
export interface ResponseSource {
  expect(method: string): void;
  feed(bytes: Buffer): void;
  next(): ResponseEvent | null;
  finish(): "complete" | "truncated" | "between";
  /** Whether there is a `rest`: bytes that belong to no answer. */
  readonly hasRest: boolean;
  rest(): Buffer;
}
