import type { Socket } from "node:net";
import type { Instant } from "../../../src/engine/model/units.ts";
import type { Outflow } from "./outflow.ts";
import type { UpstreamConnection } from "./upstream-connection.ts";

/** One exchange as its client's connection sees it: told what arrives, in order. */
export interface ClientExchange {
  /** Whether the client has been sent the beginning of a final response. */
  readonly answering: boolean;
  requestBody(wire: Buffer, data: readonly Buffer[]): void;
  requestEnd(wire: Buffer): void;
  /** One chunk of input has been looked at: what was collected of it may be sent. */
  inputRead(): void;
  /** The rest of the request is malformed, or will not come. */
  requestBroken(reason: "request-malformed" | "request-truncated", status: number, detail: string): void;
  clientDrained(): void;
  /** `code`: by which it has reset its stream (RFC 9113, 7); `null`: it speaks HTTP/1. */
  clientGone(code: number | null): void;
  expire(now: Instant): void;
  stop(): void;
}

/** A client's connection as its exchange sees it. */
export interface Client {
  readonly socket: Socket;
  /** Number of the connection, of those on which something was asked. */
  readonly connection: number;
  /** Number of the HTTP/2 stream that carries its one exchange; `null`: a connection that speaks HTTP/1. */
  readonly stream: number | null;
  readonly out: Outflow;
  /** Address without port. */
  readonly address: string;
  /** Not on this machine (security.md, S5). */
  readonly isRemote: boolean;
  /** Its requests were sent from the UI. */
  readonly resent: boolean;
  /** Connections to servers that authenticated this very client (NTLM, Negotiate), by what the pool finds them by. */
  readonly bound: Map<string, UpstreamConnection>;
  /** Whether anybody waits to close this connection. */
  readonly draining: boolean;
  pause(): void;
  resume(): void;
  /** The exchange is over; `keepAlive` false: nothing more is read, and what was written is followed by the end. */
  finished(keepAlive: boolean): void;
  /** The exchange is over, and the client must see that it did not end well; `code`: told to its stream, if it has one. */
  destroy(reset: boolean, code?: number | null): void;
  /** Leaves socket and unread bytes to the caller: another protocol begins. */
  handOver(): Buffer;
}
