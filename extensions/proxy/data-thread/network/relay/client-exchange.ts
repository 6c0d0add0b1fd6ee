import type { Socket } from "node:net";
import type { ExchangeId, Instant } from "../../../../../src/engine/model/units.ts";
import type { NetworkOptions } from "../network-options.ts";
import type { SocketNetwork } from "../sockets/closable.ts";
import type { Failure } from "../sockets/error-type.ts";
import type { SlowedClient } from "../sockets/slowed-socket.ts";
import type { WriteBuffer } from "../sockets/write-buffer.ts";
import type { ConnectionPool } from "../upstream/connection-pool.ts";
import type { ServerConnection } from "../upstream/server-connection.ts";
import type { UpstreamConnection } from "../upstream/upstream-connection.ts";
import type { ExperimentHolds } from "./experiment-holds.ts";

/**
 * One exchange, as seen by its client's connection. The connection calls these methods in the order in which input
 * arrives.
 */
export interface ClientExchange {
  /** Whether the client was sent the beginning of a final response. */
  readonly answering: boolean;
  requestBody(wire: Buffer, data: readonly Buffer[]): void;
  requestEnd(wire: Buffer): void;
  /** Called when a piece of input has been parsed. The request's bytes collected from it may now be sent. */
  inputRead(): void;
  /** Called when the rest of the request is malformed or will not arrive. */
  requestBroken(reason: "request-malformed" | "client-aborted", status: number, detail: string): void;
  clientDrained(): void;
  /**
   * Called when the client can receive no more. `code`: the code with which it reset its stream (RFC 9113, 7); `null`
   * over HTTP/1. `failure`: recorded if the exchange is incomplete. `leftAt`: when the client left; `null` for now.
   */
  clientGone(code: number | null, failure: Failure, leftAt: Instant | null): void;
  expire(now: Instant): void;
  stop(): void;
}

export interface Reach {
  /** Whether the client is on another machine (docs/security.md S5). */
  readonly isRemote: boolean;
  /** Whether the client came to a transparent port (docs/security.md S21). */
  readonly isTransparent: boolean;
}

export interface RelayNetwork extends SocketNetwork, Pick<NetworkOptions, "settings"> {
  readonly upstream: ConnectionPool;
  readonly experiment: ExperimentHolds;
  /** docs/security.md S5, S21: why a client may not connect to this address. `isGiven`: as in `RefusalOf`. */
  refusalOf(address: string, client: Reach, isGiven: boolean): Failure | null;
}

/** A client's connection, which its HTTP/2 streams share. */
export interface ClientPeer {
  readonly socket: Socket;
  /** The IP address, without a port. */
  readonly address: string;
  readonly reach: Reach;
  /** Connections to servers on which this client is authenticated (NTLM, Negotiate), by the pool's key. */
  readonly bound: Map<string, UpstreamConnection>;
  readonly draining: boolean;
  /** The connection's number. It is assigned at the first call, so that only connections with a request have one. */
  connectionNumber(): number;
}

/** A client's connection, or one stream of it, as its exchanges use it. */
export interface Client extends SlowedClient {
  readonly peer: ClientPeer;
  /** The number of the HTTP/2 stream; `null` over HTTP/1. */
  readonly stream: number | null;
  readonly out: WriteBuffer;
  /**
   * Only for requests sent from the UI; `null` for all other clients. Called with the exchange of each request; with
   * `null` if the exchange is not recorded.
   */
  readonly resent: ((exchange: ExchangeId | null) => void) | null;
  pause(): void;
  resume(): void;
  /** Called before a response is written to `out`, with the protocol in which the server sent the response. */
  answeredOver(protocol: ServerConnection["protocol"]): void;
  /**
   * Must be called before the end of a response is written. Calls `done` when it is known whether the client received
   * the response. `leftAt`: when the client had left; `null` if it received the response, or if that cannot be told.
   */
  awaitReceipt(done: (leftAt: Instant | null) => void): void;
  /**
   * Called when the exchange has ended. If `keepAlive` is false, the connection half-closes after its pending output
   * and reads no more.
   */
  finished(keepAlive: boolean): void;
  /**
   * Ends the exchange abnormally, so that the client notices. `reset`: closes an HTTP/1 connection by a reset. `code`:
   * the code that resets an HTTP/2 stream.
   */
  destroy(reset: boolean, code?: number | null): void;
  /** Passes the socket on for another protocol, and returns its unread bytes. */
  handOver(): Buffer;
}
