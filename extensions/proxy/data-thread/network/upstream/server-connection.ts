import type { Socket } from "node:net";
import type { Repair } from "../../../../../src/engine/model/exchange.ts";
import type { Instant } from "../../../../../src/engine/model/units.ts";
import type { ResponseEvent } from "../http1/message.ts";
import type { Sink } from "../sockets/write-buffer.ts";
import type { DialTimes, PooledSocket } from "./dial.ts";

/** The exchange that currently uses a connection. */
export interface ConnectionUser {
  readonly speaksHttp2: boolean;
  /** Called when the reader may have events. `at`: when their bytes arrived; `null` for now. */
  received(at?: Instant | null): void;
  /** Called only over HTTP/2, where the request's head is sent later than it is written. `at`: when it was sent. */
  sent(at: Instant): void;
  /** Called once, when the server's side has ended. `error`: `null` if it ended in order. */
  serverEnded(error: Error | null): void;
  serverDrained(): void;
}

/** Carries one exchange to its server: a connection of its own, or a stream on a shared connection. */
export interface ServerConnection {
  readonly opened: PooledSocket;
  /** The number of the HTTP/2 stream; `null` before the request has begun, and over HTTP/1. */
  readonly stream: number | null;
  readonly socket: Sink & { pause(): unknown; resume(): unknown; isPaused(): boolean };
  readonly reader: ResponseSource;
  readonly protocol: "http/1.1" | "h2";
  /** The connection set-up for which the current exchange waited; `null` if the connection was open already. */
  readonly times: DialTimes | null;
  /** Whether the connection has carried an exchange before. */
  readonly used: boolean;
  /** Whether the connection can carry another exchange. */
  readonly isOpen: boolean;
  /** Whether the connection has ended and the server confirmed that it did not process the request (RFC 9113, 8.7). */
  readonly refused: boolean;
  /** The code with which the server reset the request's stream; `null` if there is none to forward. */
  readonly resetCode: number | null;
  /** The exchange that uses the connection; `null` for none. Bytes that arrive without a user close the connection. */
  set user(user: ConnectionUser | null);
  /** Keeps the response readable after the server has stopped reading. Call this before sending a body. */
  surviveWriteErrors(): void;
  /** `code`: the code with which the client reset its stream, if it did. */
  destroy(code?: number | null): void;
  /** Returns the socket for another protocol, and stops using it. */
  handOver(): Socket;
}

/** The responses on one connection, as events of HTTP/1.1 messages. */
export interface ResponseSource {
  expect(method: string): void;
  next(): ResponseEvent | null;
  /** The repairs made to the latest response. */
  readonly repairs: ReadonlySet<Repair>;
  finish(): "complete" | "truncated" | "between";
  /** Whether bytes have arrived that belong to no response and that `rest` would return. */
  readonly hasRest: boolean;
  rest(): Buffer;
}
