import type { Socket } from "node:net";
import type { TlsFacts } from "../../../../src/engine/capture/event.ts";
import type { Repair } from "../../../../src/engine/model/exchange.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import type { ResponseEvent } from "../http1/message.ts";
import type { Sink } from "../sockets/write-buffer.ts";
import type { DialTimes } from "./dial.ts";

/** The exchange that uses a connection at the moment. */
export interface ConnectionUser {
  /** Whether the exchange's client speaks HTTP/2. */
  readonly speaksHttp2: boolean;
  /** `at`: when the bytes arrived, where known more precisely than now. */
  received(bytes: Buffer, at?: Instant | null): void;
  /** The request's head was sent, later than it was written. */
  sent(at: Instant): void;
  /** The server's side ended; `null`: in order. Called once. */
  serverEnded(error: Error | null): void;
  serverDrained(): void;
}

/** Carries one exchange to its server: a connection of its own, or a stream of a shared one. */
export interface ServerConnection {
  readonly id: number;
  /** HTTP/2 stream number once the request has begun; `null` until then, and on a connection of its own. */
  readonly stream: number | null;
  readonly socket: Sink & { pause(): unknown; resume(): unknown; isPaused(): boolean };
  readonly reader: ResponseSource;
  readonly protocol: "http/1.1" | "h2";
  /** The connection set-up that the current exchange waited for; `null`: it was open already. */
  readonly times: DialTimes | null;
  readonly tls: TlsFacts | null;
  readonly addressAndPort: string;
  readonly openedAt: Instant;
  /** Whether the server's certificate failed verification and a setting allowed it. */
  readonly unverifiedAllowed: boolean;
  /** Whether it carried an exchange before. */
  readonly used: boolean;
  /** Whether `connection-opened` was emitted. */
  wasEmitted: boolean;
  /** Whether it may carry another exchange. */
  readonly isOpen: boolean;
  /** Whether it ended and the server confirmed that it did not process the request (RFC 9113, 8.7). */
  readonly refused: boolean;
  /** The code with which the server reset the request's stream, if it is to be forwarded; else `null`. */
  readonly resetCode: number | null;
  /** `null`: no user; bytes that arrive while there is none close the connection. */
  set user(user: ConnectionUser | null);
  /** Call it before sending a body: keeps the response readable after the server stopped reading. */
  surviveWriteErrors(): void;
  /** `code`: the code with which the client reset its stream, if it did. */
  destroy(code?: number | null): void;
  /** Hands the bare socket to the caller, for another protocol. */
  handOver(): Socket;
}

/** The responses on one connection, as events of HTTP/1.1 messages. */
export interface ResponseSource {
  expect(method: string): void;
  feed(bytes: Buffer): void;
  next(): ResponseEvent | null;
  /** Repairs made to the latest response. */
  readonly repairs: ReadonlySet<Repair>;
  finish(): "complete" | "truncated" | "between";
  /** Whether there is a `rest`: bytes that belong to no response. */
  readonly hasRest: boolean;
  rest(): Buffer;
}
