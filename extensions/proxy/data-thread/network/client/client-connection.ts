import type { Socket } from "node:net";
import { finished } from "node:stream";
import type { Bytes, Instant } from "../../../../../src/engine/model/units.ts";
import type { Problem, RequestHead } from "../http1/message.ts";
import type { Client, ClientExchange, ClientPeer, Reach } from "../relay/client-exchange.ts";
import { errorResponse, writeResponse } from "../relay/generated-response.ts";
import { plainAddress } from "../sockets/address.ts";
import { BUFFERS } from "../sockets/buffer-budget.ts";
import { type Closable, listenTo } from "../sockets/closable.ts";
import { codeIn } from "../sockets/connection-log.ts";
import { DisconnectPolicy } from "../sockets/disconnect-policy.ts";
import { CLIENT_GONE } from "../sockets/error-type.ts";
import { acknowledgeNow } from "../sockets/quick-acknowledgement.ts";
import { READ_TURN } from "../sockets/read-turn.ts";
import { type OnSent, type SlowedSocket, slowedBelow } from "../sockets/slowed-socket.ts";
import { WriteBuffer } from "../sockets/write-buffer.ts";
import { beginsSocks } from "../socks/socks-messages.ts";
import { sniffProtocol } from "../tls/sniffed-protocol.ts";
import type { UpstreamConnection } from "../upstream/upstream-connection.ts";
import type { ClientNetwork, ServeOptions, Unused } from "./client-network.ts";
import { type Ingress, reachOf } from "./destination.ts";
import { recordMalformed, startExchange } from "./exchange-start.ts";
import { HalfClose, type OnReceipt } from "./half-close.ts";
import { InputQueue, type Piece } from "./input-queue.ts";
import type { ClientHostPair } from "./silent-closes.ts";

/** Reading from the client pauses when this many bytes wait to be parsed. */
const AHEAD: Bytes = 64 * 1024;
/**
 * Replaces `AHEAD` while the server stalls an upload: a client's FIN can be read only after the bytes before it. The
 * socket buffers of both sides seldom hold more than 8 MiB (tcp(7), tcp_rmem and tcp_wmem).
 */
const FAR_AHEAD: Bytes = 8 * 1024 * 1024;

/**
 * Handles the requests of one HTTP/1 client socket, one after the other.
 *
 *   idle ─▶ head ─▶ body ─▶ answering ─▶ idle …        any ─▶ closing
 */
export class ClientConnection implements Client, ClientPeer, Closable {
  readonly peer = this;
  readonly socket: Socket;
  readonly stream = null;
  readonly out: WriteBuffer;
  readonly address: string;
  readonly reach: Reach;
  readonly resent: Client["resent"];
  readonly bound = new Map<string, UpstreamConnection>();
  readonly ingress: Ingress;
  readonly slowed: SlowedSocket | null;
  readonly #network: ClientNetwork;
  /** Called when the socket closes before a byte was received on it. Used for TLS only. */
  readonly #unused: Unused | null;
  readonly #clientHost: ClientHostPair | null;
  readonly #transport: Socket;
  #phase: "idle" | "head" | "body" | "answering" | "closing" = "idle";
  #exchange: ClientExchange | null = null;
  #since: Instant;
  readonly #input: InputQueue;
  #mostAhead = AHEAD;
  /** Whether back-pressure from the server pauses the request. */
  #isPaused = false;
  #halfClose: HalfClose | null = null;
  #hasInput = false;
  #isParsing = false;
  /** Whether a head was read whose body has not begun. */
  #awaitsBody = false;
  /** Whether the held input will be parsed in a later turn of the event loop. */
  #isParseDue = false;
  #draining = false;
  #error: Error | null = null;
  #connectionNumber: number | null = null;
  readonly #policy: DisconnectPolicy;
  #removeListeners = (): void => {};

  constructor(socket: Socket, ingress: Ingress, network: ClientNetwork, options: ServeOptions = {}) {
    const { unused, clientHost, transport, connection, resent } = options;
    this.socket = socket;
    this.#transport = transport ?? socket;
    this.out = new WriteBuffer(socket);
    this.slowed = slowedBelow(socket);
    this.#policy = new DisconnectPolicy(socket, this.#transport);
    this.ingress = ingress;
    this.#network = network;
    this.#unused = unused ?? null;
    this.#clientHost = clientHost ?? null;
    this.#connectionNumber = connection ?? null;
    this.address = plainAddress(socket.remoteAddress);
    this.reach = reachOf(ingress.kind === "origin" ? ingress.arrival : null, this.address);
    this.resent = resent ?? null;
    const now = network.clock.now();
    this.#since = now;
    this.#input = new InputQueue(now);
  }

  /** Starts reading. `early`: bytes that were already read from the socket. */
  start(early?: Piece): void {
    const { socket } = this;
    this.#network.openConnections.add(this);
    this.#removeListeners = listenTo(socket, {
      data: this.#received,
      drain: this.#drained,
      end: this.#inputEnded,
      error: this.#failed,
      close: this.#closed,
    });
    if (early !== undefined) this.#take(early);
    if (socket.readableEnded) this.#inputEnded();
  }

  connectionNumber(): number {
    this.#connectionNumber ??= this.#network.nextClientConnection(this.socket, this.reach.isRemote);
    return this.#connectionNumber;
  }

  get draining(): boolean {
    return this.#draining;
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    if (this.#mayParse() && !this.#isParsing) this.#parse();
  }

  answeredOver(): void {}

  whenSent(done: OnSent): void {
    const { slowed } = this;
    if (slowed === null) return done(true);
    const { socket } = this;
    if (socket.destroyed || socket.writableFinished) return slowed.whenSent(done);
    if (socket.writableEnded) return void finished(socket, { readable: false }, () => slowed.whenSent(done));
    // Node calls back for an empty write once all earlier bytes were passed to the line.
    socket.write(NOTHING, () => slowed.whenSent(done));
  }

  awaitReceipt(done: OnReceipt): void {
    if (this.#halfClose === null) done(null);
    else this.#halfClose.awaitReceipt(done);
  }

  finished(keepAlive: boolean): void {
    this.#exchange = null;
    if (this.#clientHost !== null) this.#clientHost.requestAt = this.#network.clock.now();
    if (!keepAlive) return this.#close("the exchange ended the connection");
    // Pipelined requests wait until the client has read earlier responses. Otherwise responses would pile up here.
    if (this.out.hasRoom()) this.#continue();
  }

  #continue(): void {
    if (this.#draining) return this.#close("it takes no further requests");
    this.#phase = "idle";
    this.#since = this.#network.clock.now();
    if (this.#input.hasHead) this.#beginHead();
    this.resume();
  }

  destroy(reset: boolean): void {
    this.#exchange = null;
    this.#phase = "closing";
    this.#network.log?.client(this.socket, `closing: broken off${reset ? " with a reset" : ""}`);
    // If a body has neither length nor chunks, only a reset tells the client that it is truncated.
    if (reset) this.#transport.resetAndDestroy();
    this.socket.destroy();
  }

  handOver(): Buffer {
    this.out.flushWaiting();
    const rest = this.#input.takeAll();
    this.#detach();
    // Keeps `#parse` from closing the socket: the new owner detects the half-close itself, and may still have to
    // respond.
    this.#halfClose = null;
    return rest;
  }

  expire(now: Instant): void {
    const { head, idle, linger, stall, lateAnswer } = this.#network.limits;
    this.#policy.detectReset();
    // During an exchange, the stall limit applies only after the client's half-close (docs/security.md L5).
    const isBound = this.#exchange === null || this.#halfClose !== null;
    if (isBound && this.#policy.isStalled(now, stall)) return this.#giveUp(`took nothing for ${stall} ms`);
    const waited = now - this.#since;
    switch (this.#phase) {
      case "idle":
        if (waited > (this.#hasInput ? idle : head)) this.#close(`idle for ${this.#hasInput ? idle : head} ms`);
        return;
      case "head":
        if (!this.#input.hasHead) this.#phase = "idle";
        // A head that began during the previous response has the whole limit, counted from that response's end.
        else if (Math.min(waited, now - this.#input.headAt) > head) this.#refuse(HEAD_TOO_LATE);
        return;
      case "closing":
        // A slow client may still be reading the end of its response.
        if (this.socket.writableLength + (this.slowed?.unsent ?? 0) > 0) this.#since = now;
        else if (waited > linger) this.#giveUp(`did not close for ${linger} ms`);
        return;
      default:
        // A client that half-closed and still waits for the beginning of its response has probably disconnected.
        if (this.#halfClose !== null && waited > lateAnswer && this.#exchange?.answering === false)
          return this.#giveUp(`half-closed, and got no response within ${lateAnswer} ms`);
        if (this.#phase === "body" && this.#isPaused && BUFFERS.hasSpare) this.#resumeReading(FAR_AHEAD);
        this.#exchange?.expire(now);
    }
  }

  drain(): void {
    this.#draining = true;
    this.out.flushWaiting();
    if (this.#phase === "idle" || this.#phase === "closing") this.socket.destroySoon();
  }

  /** Ends the connection after its exchange; one without an exchange so far, after its first. */
  retire(): void {
    this.#draining = true;
    this.out.flushWaiting();
    if (this.#phase === "idle" && this.#hasInput) this.socket.destroySoon();
  }

  stop(): void {
    this.#network.log?.client(this.socket, "closing: Weir stops");
    this.#exchange?.stop();
    this.out.flushWaiting();
    this.socket.destroy();
  }

  readonly #received = (bytes: Buffer): void =>
    this.#take({ bytes, at: this.slowed?.arrivedAt ?? this.#network.clock.now() });

  #take(piece: Piece): void {
    const { bytes } = piece;
    if (this.#phase === "closing") return;
    if (!this.#hasInput && this.#isOtherProtocol(bytes)) return;
    this.#hasInput = true;
    this.#input.push(piece);
    if (this.#mayParse()) this.#parse();
    else if (this.#input.held >= (BUFFERS.hasSpare ? this.#mostAhead : AHEAD)) return void this.socket.pause();
    READ_TURN.delivered(this.socket, bytes.length);
  }

  /**
   * If the first bytes are SOCKS, or HTTP/2 on a reverse port (RFC 9113, 3.3), passes the connection on and returns
   * true.
   */
  #isOtherProtocol(bytes: Buffer): boolean {
    const ingress = this.ingress;
    if (ingress.kind === "proxy" && beginsSocks(bytes)) {
      this.#detach();
      this.#network.serveSocks(this.socket, bytes);
      return true;
    }
    if (ingress.kind !== "reverse" || sniffProtocol(bytes) !== "http2") return false;
    this.#detach();
    this.socket.pause();
    this.socket.unshift(bytes);
    this.#network.serveHttp2(this.socket, ingress);
    return true;
  }

  /**
   * Whether held input may be parsed. After a half-close, back-pressure does not stop parsing, so that the input's end
   * is found.
   */
  #mayParse(): boolean {
    if (this.#phase === "answering" || this.#phase === "closing") return false;
    return !this.#isPaused || this.#halfClose !== null;
  }

  #parse(): void {
    if (this.#isParseDue) return void this.socket.pause();
    this.#isParsing = true;
    const slice = READ_TURN.slice();
    while (this.#mayParse()) {
      if (slice.isOver) return this.#parseLater();
      const event = this.#phase === "idle" ? null : this.#input.next();
      if (event === null) {
        this.#exchange?.inputRead();
        if (!this.#feed()) break;
        continue;
      }
      switch (event.kind) {
        case "head":
          this.#begin(event.head);
          break;
        case "body":
          this.#awaitsBody = false;
          this.#exchange?.requestBody(event.wire, event.data);
          break;
        case "end":
          this.#requestEnded(event.wire);
          break;
        case "refused":
          this.#refuse(event.problem);
      }
    }
    this.#isParsing = false;
    if (this.#awaitsBody && this.#phase === "body") acknowledgeNow(this.#transport);
    this.#awaitsBody = false;
    if (this.#halfClose !== null) this.#noMoreInput();
    else if (this.#mayParse()) this.#resumeReading(AHEAD);
  }

  /**
   * Continues parsing in a later turn, so that other connections get their turn. Held input may be megabytes of tiny
   * chunks.
   */
  #parseLater(): void {
    this.#isParsing = false;
    this.#isParseDue = true;
    this.socket.pause();
    READ_TURN.later(() => {
      this.#isParseDue = false;
      if (!this.#network.openConnections.has(this)) return;
      this.#parse();
      // Resumes reading even during a response, so that a disconnect of the client is noticed.
      if (!this.#isParseDue && this.#network.openConnections.has(this)) this.#resumeReading(this.#mostAhead);
    });
  }

  /** Gives the next held bytes to the parser; returns false if there are none or if parsing must wait. */
  #feed(): boolean {
    if (!this.#mayParse() || !this.#input.parseNext()) return false;
    if (this.#phase === "idle") this.#beginHead();
    return true;
  }

  #beginHead(): void {
    this.#phase = "head";
    this.#network.log?.client(this.socket, "first bytes of a request received");
  }

  #resumeReading(mostAhead: Bytes): void {
    this.#mostAhead = mostAhead;
    if (this.#input.held < mostAhead && this.socket.isPaused()) this.socket.resume();
  }

  #begin(head: RequestHead): void {
    this.#phase = "body";
    this.#awaitsBody = true;
    const at = this.#input.headAt;
    this.#exchange = startExchange(
      { head, at, headReceived: this.#network.clock.now() },
      this.ingress,
      this,
      this.#network,
    );
  }

  #requestEnded(wire: Buffer): void {
    this.#phase = "answering";
    this.#since = this.#network.clock.now();
    if (this.#clientHost !== null) this.#clientHost.requestAt = this.#input.lastAt;
    this.#exchange?.requestEnd(wire);
  }

  #refuse(problem: Problem | typeof HEAD_TOO_LATE | typeof HEAD_CUT): void {
    if (this.#exchange !== null)
      return this.#exchange.requestBroken("request-malformed", problem.status, problem.reason);
    const { status, reason } = problem;
    const { unparsed: seen, headAt: at } = this.#input;
    recordMalformed({ seen, at, status, reason }, this.ingress, this, this.#network);
    writeResponse(this.out, errorResponse(status, `The request could not be read: ${reason}.`), "GET", false);
    this.#close(`a request was refused with ${status}`);
  }

  /**
   * Half-closes and waits for the client's FIN. An immediate close could send a reset, which may discard the response's
   * end.
   */
  #close(reason: string): void {
    this.out.flush();
    this.#network.log?.client(this.socket, `closing: ${reason}`);
    this.#phase = "closing";
    this.#since = this.#network.clock.now();
    // A reset by the client is found only before our own FIN.
    if (this.#halfClose === null) this.#endSocket();
    else this.#halfClose.afterReceipts(() => this.#endSocket());
  }

  #endSocket(): void {
    this.socket.end();
    this.socket.resume();
    if (this.#halfClose !== null) this.socket.destroySoon();
  }

  /** Closes the connection of a client that has probably disconnected. */
  #giveUp(what: string): void {
    this.#network.log?.client(this.socket, `closing: the client ${what}`);
    this.socket.destroy();
  }

  readonly #drained = (): void => {
    if (this.#exchange !== null) this.#exchange.clientDrained();
    else if (this.#phase === "answering") this.#continue();
  };

  readonly #failed = (error: Error): void => {
    this.#error ??= error;
    this.#network.log?.client(this.socket, `failed${codeIn(error)}`);
  };

  /** Called when the client half-closes. The client may still be reading, so complete requests get their responses. */
  readonly #inputEnded = (): void => {
    const { isRemote } = this.reach;
    const client = { socket: this.socket, transport: this.#transport, isRemote, policy: this.#policy };
    this.#halfClose = new HalfClose(client, this.#network.clock.now(), () => this.#left());
    this.#network.log?.client(this.socket, "the client half-closed");
    if (this.#phase === "answering") {
      this.#since = this.#network.clock.now();
      if (this.#halfClose.hasLeft) this.#left();
    } else if (!this.#isParsing) this.#parse();
  };

  /** Called when a client is known to have left within an exchange. */
  #left(): void {
    if (this.#exchange === null) return;
    this.#exchange.clientGone(null, CLIENT_GONE, null);
    this.#giveUp("has left");
  }

  #noMoreInput(): void {
    if (this.#exchange !== null && this.#halfClose?.hasLeft === true) this.#left();
    else if (this.#phase === "body") this.#exchange?.requestBroken("client-aborted", 400, REQUEST_CUT);
    else if (this.#phase === "head" && this.#input.hasHead) this.#refuse(HEAD_CUT);
    else if (this.#phase === "closing") this.socket.destroySoon();
    else if (this.#phase !== "answering") this.#close("the client half-closed");
  }

  readonly #closed = (): void => {
    const exchange = this.#exchange;
    const halfClose = this.#halfClose;
    this.#detach();
    if (!this.#hasInput && !this.#draining) this.#unused?.(this.#error);
    exchange?.clientGone(null, CLIENT_GONE, halfClose?.leftAt ?? null);
    halfClose?.closed(this.#error !== null);
  };

  #detach(): void {
    READ_TURN.forget(this.socket);
    this.#halfClose?.stop();
    this.#exchange = null;
    this.#phase = "closing";
    this.#input.discard();
    this.#network.openConnections.delete(this);
    for (const connection of this.bound.values()) connection.destroy();
    this.#removeListeners();
  }
}

const NOTHING = Buffer.alloc(0);
const HEAD_TOO_LATE = { status: 408, reason: "its head did not arrive in time" } as const;
const HEAD_CUT = { status: 400, reason: "it ended within its head" } as const;
const REQUEST_CUT = "The client stopped sending within the request's body.";
