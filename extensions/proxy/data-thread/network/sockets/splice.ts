import type { Socket } from "node:net";
import type { Side } from "../../../../../src/engine/capture/event.ts";
import type { Instant } from "../../../../../src/engine/model/units.ts";
import type { Closable, SocketNetwork } from "./closable.ts";
import { ClosingSocket, closeOnFailedWrite, DisconnectPolicy, readAfterFailedWrite } from "./disconnect-policy.ts";
import { CLIENT_GONE, errorTypeOf, type Failure, STOPPED } from "./error-type.ts";
import { READ_TURN } from "./read-turn.ts";
import { WriteBuffer } from "./write-buffer.ts";

export interface SpliceObserver {
  /**
   * Returns whether the bytes were handled. If not, no more bytes of this side are passed until `onHandled` is called,
   * in a later turn of the event loop.
   */
  passed(side: Side, bytes: Buffer, onHandled: () => void): boolean;
  /**
   * Called when both sides are closed. `failure`: `null` if each side ended in order; `first`: the side that ended
   * first.
   */
  ended(failure: Failure | null, first: Side | null): void;
}

/**
 * Two joined sockets. Bytes pass untouched, in each direction as fast as the receiver reads; half-closes are forwarded.
 */
export class Splice implements Closable {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #toClient: WriteBuffer;
  readonly #toServer: WriteBuffer;
  readonly #policy: DisconnectPolicy;
  readonly #network: SocketNetwork;
  readonly #observer: SpliceObserver;
  /** The time of the latest half-close, or of the latest byte after it; `null` before any half-close. */
  #halfClosedAt: Instant | null = null;
  #first: Side | null = null;
  #over = false;

  constructor(client: Socket, server: Socket, network: SocketNetwork, observer: SpliceObserver) {
    this.#client = client;
    this.#server = server;
    this.#toClient = new WriteBuffer(client);
    this.#toServer = new WriteBuffer(server);
    this.#policy = new DisconnectPolicy(client);
    this.#network = network;
    this.#observer = observer;
  }

  /** `early`: bytes that were received before the splice; they pass first. */
  start(early: { readonly toServer: Buffer; readonly toClient: Buffer }): void {
    const client = this.#client;
    const server = this.#server;
    this.#network.openConnections.add(this);
    this.#network.log?.client(client, "bytes pass to the server untouched");
    const sendError = readAfterFailedWrite(server);
    server.on("end", () => {
      const error = sendError();
      if (error !== null) return this.#end(errorTypeOf(error), true);
      // The server has ended. From here on, a failed write means that it has disconnected.
      closeOnFailedWrite(server);
    });
    this.#join(client, server, "request", early.toServer);
    this.#join(server, client, "response", early.toClient);
    client.on("error", () => this.#end(CLIENT_GONE));
    server.on("error", (error) => this.#end(errorTypeOf(error), server.readableEnded));
    client.on("close", () => this.#end(server.readableEnded || client.readableEnded ? null : CLIENT_GONE));
    server.on("close", () => this.#end(null));
    if (client.destroyed) this.#end(CLIENT_GONE);
    else if (server.destroyed) this.#end(SERVER_GONE);
  }

  expire(now: Instant): void {
    // Checks only the client: the bytes that the server sent before a reset must still go to the client.
    this.#policy.detectReset();
    const { halfClosed, stall } = this.#network.limits;
    // While a slow reader still reads its last bytes, nothing passes, so the limit for stalls applies.
    const limit = this.#client.writableLength + this.#server.writableLength > 0 ? stall : halfClosed;
    if (this.#halfClosedAt !== null && now - this.#halfClosedAt > limit) this.#end(null);
  }

  drain(): void {}

  stop(): void {
    this.#end(STOPPED);
  }

  #join(from: Socket, to: Socket, side: Side, early: Buffer): void {
    const isRequest = side === "request";
    const out = isRequest ? this.#toServer : this.#toClient;
    let isObserved = true;
    const onObserved = (): void => {
      isObserved = true;
      if (out.hasRoom()) from.resume();
    };
    const pass = (bytes: Buffer): void => {
      // After the splice has ended, pending bytes are still sent. Bytes that arrive meanwhile are dropped.
      if (this.#over) return;
      isObserved = this.#observer.passed(side, bytes, onObserved);
      if (this.#halfClosedAt !== null) this.#halfClosedAt = this.#network.clock.now();
      out.add(bytes);
      if (out.flushSoon() && isObserved) READ_TURN.delivered(from, bytes.length);
      else from.pause();
    };
    if (early.length > 0) pass(early);
    from.on("data", pass);
    to.on("drain", () => {
      if (isObserved) from.resume();
    });
    const end = (): void => {
      this.#first ??= side;
      this.#halfClosedAt = this.#network.clock.now();
      this.#network.log?.client(this.#client, `the ${isRequest ? "client" : "server"} half-closed`);
      out.flushWaiting();
      to.end();
    };
    from.on("end", end);
    if (from.readableEnded) end();
    if (isObserved) from.resume();
  }

  /** Ends the splice. `spares`: whether pending bytes are still sent before the sockets close. */
  #end(failure: Failure | null, spares = failure === null): void {
    if (this.#over) return;
    this.#over = true;
    this.#network.openConnections.delete(this);
    this.#network.log?.client(this.#client, `both sides close: ${failure?.errorType ?? "in order"}`);
    this.#toClient.flushWaiting();
    this.#toServer.flushWaiting();
    if (spares) {
      new ClosingSocket(this.#client, this.#network).drain();
      new ClosingSocket(this.#server, this.#network).drain();
    } else {
      this.#client.destroy();
      this.#server.destroy();
    }
    this.#observer.ended(failure, this.#first);
  }
}

const SERVER_GONE: Failure = Object.freeze({
  errorType: "server-closed",
  detail: "The server closed the connection before anything was exchanged.",
});
