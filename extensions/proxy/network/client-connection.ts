import type { Socket } from "node:net";
import type { Instant } from "../../../src/engine/model/units.ts";
import { isLoopback, plainAddress } from "./address.ts";
import { troubleAnswer, writeAnswer } from "./answer.ts";
import type { Client, ClientExchange } from "./client-exchange.ts";
import { Debt } from "./debt.ts";
import type { Route } from "./destination.ts";
import { beginExchange, recordMalformed } from "./exchange-beginning.ts";
import { HalfClosed } from "./half-closed.ts";
import { LIMITS } from "./http1/limits.ts";
import type { Problem, RequestHead } from "./http1/message.ts";
import { RequestReader } from "./http1/request-reader.ts";
import { Looks } from "./looks.ts";
import type { Life, Network, ServeOptions, Unused } from "./network.ts";
import { Outflow, ROOM } from "./outflow.ts";
import { SilentClient } from "./silent-client.ts";
import type { UpstreamConnection } from "./upstream-connection.ts";

/** Our choice: pipelined bytes taken in while an exchange is in flight. */
const AHEAD = 64 * 1024;

/**
 * One client socket that speaks HTTP/1: its requests, one after the other.
 *
 *   idle ─▶ head ─▶ body ─▶ answering ─▶ idle …        any ─▶ closing
 */
export class ClientConnection implements Client, Life {
  readonly socket: Socket;
  readonly stream = null;
  readonly out: Outflow;
  readonly address: string;
  readonly isRemote: boolean;
  readonly resent: boolean;
  readonly bound = new Map<string, UpstreamConnection>();
  readonly #route: Route;
  readonly #network: Network;
  /** Called when the socket closes and not one byte came; only TLS wants to know. */
  readonly #unused: Unused | null;
  readonly #transport: Socket;
  readonly #reader = new RequestReader(LIMITS);
  #phase: "idle" | "head" | "body" | "answering" | "closing" = "idle";
  #exchange: ClientExchange | null = null;
  #since: Instant;
  #lastInputAt: Instant;
  /** Of a head that has not been read, to show it if it never can be. */
  #lastInput: Buffer | null = null;
  #headStart: Instant;
  /** Bytes fed and not yet looked at, because an exchange is in flight. */
  #ahead = 0;
  #heard = false;
  #pumping = false;
  #draining = false;
  /** Once the client has ended its side. */
  #silent: SilentClient | null = null;
  #version: RequestHead["version"] = "1.1";
  #error: Error | null = null;
  #number: number | null = null;
  readonly #debt: Debt;
  readonly #halfClosed = new HalfClosed();
  readonly #looks = new Looks();

  constructor(socket: Socket, route: Route, network: Network, { early, unused, transport, resent }: ServeOptions = {}) {
    this.socket = socket;
    this.#transport = transport ?? socket;
    this.out = new Outflow(socket);
    this.#debt = new Debt(socket);
    this.#route = route;
    this.#network = network;
    this.#unused = unused ?? null;
    this.address = plainAddress(socket.remoteAddress);
    this.isRemote = !isLoopback(this.address);
    this.resent = resent ?? false;
    const now = network.options.clock.now();
    this.#since = now;
    this.#lastInputAt = now;
    this.#headStart = now;
    network.lives.add(this);
    socket.on("data", this.#received);
    socket.on("drain", this.#drained);
    socket.on("end", this.#ended);
    socket.on("error", this.#failed);
    socket.on("close", this.#closed);
    if (early !== undefined) this.#received(early);
    if (socket.readableEnded) this.#ended();
  }

  get connection(): number {
    this.#number ??= this.#network.nextClientConnection(this);
    return this.#number;
  }

  get draining(): boolean {
    return this.#draining;
  }

  pause(): void {
    if (this.socket.isPaused()) return;
    this.socket.pause();
    if (!this.#looks.begun) this.#tryListening(true);
  }

  resume(): void {
    this.#looks.forget();
    if (this.#silent === null) this.#halfClosed.forget();
    this.socket.resume();
  }

  finished(keepAlive: boolean): void {
    this.#exchange = null;
    if (!keepAlive) return this.#close();
    this.#since = this.#network.options.clock.now();
    // What it has asked ahead waits until it takes of its answers: they would pile up here.
    if (this.socket.writableLength < ROOM) this.#goOn();
  }

  #goOn(): void {
    if (this.#draining) return this.#close();
    this.#ahead = 0;
    if (this.socket.isPaused()) this.resume();
    this.#phase = "idle";
    if (this.#reader.started) {
      this.#phase = "head";
      this.#headStart = this.#lastInputAt;
    }
    if (!this.#pumping) this.#pump();
  }

  destroy(reset: boolean): void {
    this.#exchange = null;
    this.#phase = "closing";
    // Where the connection's end is the body's end, only a reset says that it was cut.
    if (reset) this.#transport.resetAndDestroy();
    this.socket.destroy();
  }

  handOver(): Buffer {
    this.out.flushWaiting();
    this.#leave();
    // Whoever takes the socket sees by himself that its client says no more, and may still have to answer it.
    this.#silent = null;
    return this.#reader.rest();
  }

  expire(now: Instant): void {
    const { head, idle, linger, owed } = this.#network.limits;
    this.#silent?.ask();
    // Who may still say something is waited for without end while it is being answered (security.md, L5).
    const isBound = this.#exchange === null || this.#silent !== null;
    if (isBound && this.#debt.isStuck(now, owed)) return void this.socket.destroy();
    const waited = now - this.#since;
    switch (this.#phase) {
      case "idle":
        if (waited > (this.#heard ? idle : head)) this.#close();
        return;
      case "head":
        if (!this.#reader.started) this.#phase = "idle";
        else if (now - this.#headStart > head) this.#refuse(HEAD_TOO_LATE);
        return;
      case "closing":
        // A slow reader may still be owed the end of its answer.
        if (this.socket.writableLength > 0) this.#since = now;
        else if (waited > linger) this.socket.destroy();
        return;
      default:
        this.#exchange?.expire(now);
        // Within an answer a client cannot be asked whether it is still there: it is only to be read.
        if (this.#exchange?.answering === true) this.#looks.take(this.socket);
    }
  }

  drain(): void {
    this.#draining = true;
    this.out.flushWaiting();
    if (this.#phase === "idle" || this.#phase === "closing") this.socket.destroySoon();
  }

  stop(): void {
    this.#exchange?.stop();
    this.out.flushWaiting();
    this.socket.destroy();
  }

  readonly #received = (bytes: Buffer): void => {
    if (this.#phase === "closing") return;
    this.#network.memory.read(bytes.length);
    this.#heard = true;
    this.#lastInputAt = this.#network.options.clock.now();
    this.#lastInput = bytes;
    this.#reader.feed(bytes);
    if (this.#phase === "answering") {
      this.#ahead += bytes.length;
      if (this.#ahead > AHEAD) this.pause();
      return;
    }
    if (this.#phase === "idle") {
      this.#phase = "head";
      this.#headStart = this.#lastInputAt;
    }
    this.#pump();
  };

  #pump(): void {
    this.#pumping = true;
    while (this.#phase === "head" || this.#phase === "body") {
      const event = this.#reader.next();
      if (event === null) break;
      switch (event.kind) {
        case "head":
          this.#begin(event.head);
          break;
        case "body":
          this.#exchange?.requestBody(event.wire, event.data);
          break;
        case "end":
          this.#requestEnded(event.wire);
          break;
        case "refused":
          this.#refuse(event.problem);
      }
    }
    this.#pumping = false;
    this.#exchange?.inputRead();
    if (this.#silent !== null) this.#noMoreInput();
  }

  #begin(head: RequestHead): void {
    this.#phase = "body";
    this.#lastInput = null;
    this.#version = head.version;
    const at = this.#headStart;
    this.#exchange = beginExchange(
      { head, at, headReceived: this.#network.options.clock.now() },
      this.#route,
      this,
      this.#network,
    );
  }

  #requestEnded(wire: Buffer): void {
    this.#phase = "answering";
    this.#exchange?.requestEnd(wire);
  }

  #refuse(problem: Problem | typeof HEAD_TOO_LATE | typeof HEAD_CUT): void {
    if (this.#exchange !== null)
      return this.#exchange.requestBroken("request-malformed", problem.status, problem.reason);
    const { status, reason } = problem;
    recordMalformed({ seen: this.#lastInput, at: this.#headStart, status, reason }, this.#route, this, this.#network);
    writeAnswer(this.out, troubleAnswer(status, `The request could not be read: ${reason}.`), "GET", false);
    this.#close();
  }

  /** Says that nothing more will be sent, and waits for the client to do likewise: a reset could outrun the answer. */
  #close(): void {
    this.out.flush();
    this.#phase = "closing";
    this.#since = this.#network.options.clock.now();
    this.socket.end();
    this.socket.resume();
    if (this.#silent !== null) this.socket.destroySoon();
  }

  readonly #drained = (): void => {
    if (this.#exchange !== null) this.#exchange.clientDrained();
    else if (this.#phase === "answering") this.#goOn();
  };

  readonly #failed = (error: Error): void => {
    this.#error ??= error;
  };

  /** The client will send no more. Whether it still listens cannot be seen, only tried. */
  readonly #ended = (): void => {
    this.#silent = new SilentClient(this.#transport);
    this.#noMoreInput();
  };

  #noMoreInput(): void {
    this.#halfClosed.forget();
    if (this.#phase === "answering" && this.#hasGone()) this.socket.destroy();
    else if (this.#phase === "answering") this.#tryListening(false);
    else if (this.#phase === "body") this.#exchange?.requestBroken("request-truncated", 400, REQUEST_CUT);
    else if (this.#phase === "head" && this.#reader.started) this.#refuse(HEAD_CUT);
    else if (this.#phase === "closing") this.socket.destroySoon();
    else this.#close();
  }

  /** Within an answer nothing can be tried: a server that is silent for hours (an event stream) would be kept for nobody. */
  #hasGone(): boolean {
    const { limits, options } = this.#network;
    return this.#exchange?.answering === true && options.clock.now() - this.#lastInputAt > limits.lastWord;
  }

  /** An HTTP/1.0 client knows no interim answers, and one that is being answered needs none. */
  #tryListening(again: boolean): void {
    this.#halfClosed.try(this.out, () => this.#version === "1.1" && this.#exchange?.answering === false, again);
  }

  readonly #closed = (): void => {
    const exchange = this.#exchange;
    this.#leave();
    if (!this.#heard) this.#unused?.(this.#error);
    exchange?.clientGone(null);
  };

  #leave(): void {
    this.#halfClosed.forget();
    this.#exchange = null;
    this.#phase = "closing";
    this.#network.lives.delete(this);
    for (const connection of this.bound.values()) connection.destroy();
    this.socket.off("data", this.#received);
    this.socket.off("drain", this.#drained);
    this.socket.off("end", this.#ended);
    this.socket.off("error", this.#failed);
    this.socket.off("close", this.#closed);
  }
}

const HEAD_TOO_LATE = { status: 408, reason: "its head did not arrive in time" } as const;
const HEAD_CUT = { status: 400, reason: "it ended within its head" } as const;
const REQUEST_CUT = "The client stopped sending within the request's body.";
