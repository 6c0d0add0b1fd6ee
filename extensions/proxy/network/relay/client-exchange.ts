import type { Socket } from "node:net";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import type { WriteBuffer } from "../sockets/write-buffer.ts";
import type { ServerConnection } from "../upstream/server-connection.ts";
import type { UpstreamConnection } from "../upstream/upstream-connection.ts";

/** One exchange, as notified by its client's connection, in order of arrival. */
export interface ClientExchange {
  /** Whether the client has received the beginning of a final response. */
  readonly answering: boolean;
  requestBody(wire: Buffer, data: readonly Buffer[]): void;
  requestEnd(wire: Buffer): void;
  /** One piece of input has been parsed: the request bytes collected from it may be sent. */
  inputRead(): void;
  /** The rest of the request is malformed or will not arrive. */
  requestBroken(reason: "request-malformed" | "client-aborted", status: number, detail: string): void;
  clientDrained(): void;
  /** `code`: the code with which the client reset its stream (RFC 9113, 7); `null` over HTTP/1. */
  clientGone(code: number | null): void;
  expire(now: Instant): void;
  stop(): void;
}

/** A client's connection, as used by its exchange. */
export interface Client {
  readonly socket: Socket;
  /** Number of the HTTP/2 stream that carries its one exchange; `null` over HTTP/1. */
  readonly stream: number | null;
  readonly out: WriteBuffer;
  /** Address without port. */
  readonly address: string;
  /** Whether it is on another machine (docs/security.md S5). */
  readonly isRemote: boolean;
  /** Called with the exchange of each request (`null`: not recorded) where they are sent from the UI; else `null`. */
  readonly resent: ((exchange: ExchangeId | null) => void) | null;
  /** Connections to servers that authenticated this client (NTLM, Negotiate), by pool key. */
  readonly bound: Map<string, UpstreamConnection>;
  /** Whether the connection closes after the current exchange. */
  readonly draining: boolean;
  /** Number of the connection, assigned at the first call: only connections that made a request have one. */
  connectionNumber(): number;
  pause(): void;
  resume(): void;
  /** The protocol of the server whose response is written to `out` next. */
  answeredOver(protocol: ServerConnection["protocol"]): void;
  /**
   * The exchange ended; with `keepAlive` false the connection half-closes after the pending output and reads no more.
   */
  finished(keepAlive: boolean): void;
  /** The exchange ended abnormally, which the client must notice; `code` resets its HTTP/2 stream, if it has one. */
  destroy(reset: boolean, code?: number | null): void;
  /** Hands the socket and its unread bytes to the caller, for another protocol. */
  handOver(): Buffer;
}
