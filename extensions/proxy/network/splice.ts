import type { Socket } from "node:net";
import type { Side } from "../../../src/engine/capture/event.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { ClosingSocket } from "./closing-socket.ts";
import { errorTypeOf, type Failure } from "./error-type.ts";
import { Looks } from "./looks.ts";
import type { Life, Network } from "./network.ts";
import { Outflow } from "./outflow.ts";
import { forgetSending, outliveSending } from "./outlive-sending.ts";
import { CLIENT_GONE, STOPPED } from "./own-exchange.ts";

/** Who is told what passes. */
export interface SpliceObserver {
  passed(side: Side, bytes: Buffer): void;
  /** Both sides are closed. `failure: null`: each ended in order, `first` before the other. */
  ended(failure: Failure | null, first: Side | null): void;
}

/** Two sockets joined: bytes go both ways untouched, each at the pace of its reader, and each end goes through by itself. */
export class Splice implements Life {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #toClient: Outflow;
  readonly #toServer: Outflow;
  readonly #clientLooks = new Looks();
  readonly #serverLooks = new Looks();
  readonly #network: Network;
  readonly #observer: SpliceObserver;
  /** When one side ended, or the last byte passed since. */
  #halfClosedAt: Instant | null = null;
  /** Whose side ended first. */
  #first: Side | null = null;
  #over = false;

  constructor(
    client: Socket,
    server: Socket,
    early: { readonly toServer: Buffer; readonly toClient: Buffer },
    network: Network,
    observer: SpliceObserver,
  ) {
    this.#client = client;
    this.#server = server;
    this.#toClient = new Outflow(client);
    this.#toServer = new Outflow(server);
    this.#network = network;
    this.#observer = observer;
    network.lives.add(this);
    const sendError = outliveSending(server);
    server.on("end", () => {
      const error = sendError();
      if (error !== null) return this.#end(errorTypeOf(error), true);
      // It has had its last word: what can no longer be sent to it now tells that nobody listens.
      forgetSending(server);
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

  /** A side that closed for good looks like one that only stopped talking, or that is not read at the moment. */
  expire(now: Instant): void {
    const { halfClosed, owed } = this.#network.limits;
    // Nothing passes either while a slow reader has its part to take.
    const limit = this.#client.writableLength + this.#server.writableLength > 0 ? owed : halfClosed;
    if (this.#halfClosedAt !== null && now - this.#halfClosedAt > limit) this.#end(null);
    this.#clientLooks.take(this.#client);
    this.#serverLooks.take(this.#server);
  }

  drain(): void {}

  stop(): void {
    this.#end(STOPPED);
  }

  #join(from: Socket, to: Socket, side: Side, early: Buffer): void {
    const isRequest = side === "request";
    const out = isRequest ? this.#toServer : this.#toClient;
    const looks = isRequest ? this.#clientLooks : this.#serverLooks;
    const pass = (bytes: Buffer): void => {
      // While it has its own last bytes to take, a side may still speak.
      if (this.#over) return;
      this.#observer.passed(side, bytes);
      this.#network.memory.read(bytes.length);
      if (this.#halfClosedAt !== null) this.#halfClosedAt = this.#network.options.clock.now();
      out.add(bytes);
      if (!out.flushSoon()) from.pause();
    };
    if (early.length > 0) pass(early);
    from.on("data", pass);
    to.on("drain", () => {
      looks.forget();
      from.resume();
    });
    const end = (): void => {
      this.#first ??= side;
      this.#halfClosedAt = this.#network.options.clock.now();
      out.flushWaiting();
      to.end();
    };
    from.on("end", end);
    if (from.readableEnded) end();
    from.resume();
  }

  /** `spares`: what the client has not been given yet, it is given. */
  #end(failure: Failure | null, spares = failure === null): void {
    if (this.#over) return;
    this.#over = true;
    this.#network.lives.delete(this);
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
