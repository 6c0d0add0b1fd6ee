import type { Socket } from "node:net";
import { hostPort } from "../../../../../src/engine/model/host-port.ts";
import type { Instant } from "../../../../../src/engine/model/units.ts";
import type { Server } from "../origin.ts";
import { ExchangeEmitter } from "../relay/exchange-emitter.ts";
import { isLoopback, plainAddress } from "../sockets/address.ts";
import { type Closable, listenTo } from "../sockets/closable.ts";
import { codeIn } from "../sockets/connection-log.ts";
import { ClosingSocket } from "../sockets/disconnect-policy.ts";
import {
  failureReply,
  generalFailure,
  METHOD_CHOSEN,
  readGreeting,
  readRequest,
  type SocksRefusal,
  SUCCEEDED,
} from "../socks/socks-messages.ts";
import type { ClientNetwork } from "./client-network.ts";
import { arrivedAt } from "./destination.ts";
import type { TunnelRequest } from "./tunnel-context.ts";
import { TunnelDecision } from "./tunnel-decision.ts";

/**
 * Reads the request of a SOCKS 5 client. Then a tunnel takes over, as after CONNECT.
 *
 *   greeting ─▶ request ─▶ tunnel        either ─▶ refused, as a row
 */
export class SocksConnection implements Closable {
  readonly #socket: Socket;
  readonly #network: ClientNetwork;
  readonly #address: string;
  readonly #isRemote: boolean;
  readonly #since: Instant;
  #removeListeners = (): void => {};
  #phase: "greeting" | "request" = "greeting";
  /** The beginning of an incomplete message. */
  #received: Buffer;
  /** When the first byte of `#received` arrived. */
  #receivedAt: Instant;

  constructor(socket: Socket, early: Buffer, network: ClientNetwork) {
    this.#socket = socket;
    this.#network = network;
    this.#address = plainAddress(socket.remoteAddress);
    this.#isRemote = !isLoopback(this.#address);
    this.#since = network.clock.now();
    this.#receivedAt = this.#since;
    this.#received = early;
  }

  start(): void {
    this.#network.openConnections.add(this);
    const [data, end, error, close] = [this.#onData, this.#onEnd, this.#onError, this.#onClose];
    this.#removeListeners = listenTo(this.#socket, { data, end, error, close });
    this.#read();
  }

  /** Refuses a client whose request takes too long (docs/security.md L5). */
  expire(now: Instant): void {
    if (now - this.#since > this.#network.limits.head)
      this.#refuse(this.#cut(`it did not arrive within ${this.#network.limits.head} ms`));
  }

  drain(): void {
    this.#socket.destroySoon();
  }

  stop(): void {
    this.#socket.destroy();
  }

  readonly #onData = (bytes: Buffer): void => {
    if (this.#received.length === 0) this.#receivedAt = this.#network.clock.now();
    this.#received = Buffer.concat([this.#received, bytes]);
    this.#read();
  };

  #read(): void {
    if (this.#phase === "greeting") {
      const greeting = readGreeting(this.#received);
      if (greeting === "incomplete") return;
      if (greeting.kind === "refused") return this.#refuse(greeting);
      this.#received = this.#received.subarray(greeting.length);
      this.#socket.write(METHOD_CHOSEN);
      this.#phase = "request";
    }
    const request = readRequest(this.#received);
    if (request === "incomplete") return;
    if (request.kind === "refused") return this.#refuse(request);
    this.#open(request.value, this.#received.subarray(request.length));
  }

  #open(authority: Server, early: Buffer): void {
    this.#detach();
    const socket = this.#socket;
    const named = hostPort(authority.host, authority.port);
    this.#network.log?.client(socket, `SOCKS CONNECT ${named}`);
    const request: TunnelRequest = {
      at: this.#receivedAt,
      headReceived: this.#network.clock.now(),
      head: `CONNECT ${named} SOCKS5\r\n\r\n`,
      protocol: "socks5",
      userAgent: "",
      established: ESTABLISHED,
      refusal: ({ errorType }) => ({ bytes: failureReply(errorType), status: null }),
    };
    const connection = this.#network.nextClientConnection(socket, this.#isRemote);
    const context = { request, authority, socket, address: this.#address, arrival: null, connection };
    new TunnelDecision(context, { bytes: early, at: this.#network.clock.now() }, this.#network).start();
  }

  /**
   * Called when the client half-closes. Within a message, the client is refused. Between messages, the client gets no
   * row, because it only tested whether the port speaks SOCKS.
   */
  readonly #onEnd = (): void => {
    if (this.#received.length > 0) return this.#refuse(this.#cut("it ended within its request"));
    this.#detach();
    new ClosingSocket(this.#socket, this.#network);
  };

  readonly #onError = (error: Error): void => {
    this.#network.log?.client(this.#socket, `failed${codeIn(error)}`);
  };

  readonly #onClose = (): void => this.#detach();

  /**
   * The refusal of an incomplete message. An incomplete greeting gets no reply, because RFC 1928, 3, defines none for
   * it.
   */
  #cut(reason: string): SocksRefusal {
    return { kind: "refused", reply: this.#phase === "request" ? generalFailure() : NOTHING, reason };
  }

  #refuse({ reply, reason }: SocksRefusal): void {
    const seen = this.#received;
    const { clock, log } = this.#network;
    this.#detach();
    this.#socket.write(reply);
    log?.client(this.#socket, `closing: SOCKS was refused: ${reason}`);
    const detail = `The client's SOCKS request was refused: ${reason}.`;
    this.#emitter(seen).ended(clock.now(), { kind: "failed", errorType: "request-malformed", detail, status: null });
    new ClosingSocket(this.#socket, this.#network);
  }

  /** Starts the row of a refused request. */
  #emitter(seen: Buffer): ExchangeEmitter {
    const { sink, log } = this.#network;
    const socket = this.#socket;
    const origin = arrivedAt(socket);
    return new ExchangeEmitter(sink, origin.host, 0, {
      at: this.#receivedAt,
      method: "?",
      origin: origin.text,
      target: "/",
      head: seen.toString("latin1", 0, SHOWN),
      clientAddress: this.#address,
      protocol: "socks5",
      clientConnection: this.#network.nextClientConnection(socket, this.#isRemote),
      tags: ["malformed"],
      log: log?.clientEvents(socket) ?? null,
    });
  }

  #detach(): void {
    this.#network.openConnections.delete(this);
    this.#removeListeners();
  }
}

/** The most bytes of a refused request that a row shows. */
const SHOWN = 300;

const NOTHING = Buffer.alloc(0);

const ESTABLISHED = Object.freeze({ bytes: SUCCEEDED, head: "SOCKS5 succeeded\r\n\r\n" });
