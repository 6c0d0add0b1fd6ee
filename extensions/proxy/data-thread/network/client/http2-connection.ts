import type { ServerHttp2Session, ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import type { Bytes, Instant } from "../../../../../src/engine/model/units.ts";
import { CODES, END_STREAM } from "../http2/codes.ts";
import { ConnectionMemory } from "../http2/connection-memory.ts";
import { GracefulClose } from "../http2/graceful-close.ts";
import { CLIENT_SESSION, RESETS_AT_ONCE } from "../http2/limits.ts";
import type { RawFields } from "../http2/message-text.ts";
import { nodeHttp2 } from "../http2/node-http2.ts";
import { ReadTime } from "../http2/read-time.ts";
import { outlives } from "../http2/session-lifetime.ts";
import { StreamEvents } from "../http2/stream-events.ts";
import type { Reach } from "../relay/client-exchange.ts";
import { plainAddress } from "../sockets/address.ts";
import type { Closable } from "../sockets/closable.ts";
import { codeIn } from "../sockets/connection-log.ts";
import { Standstill } from "../sockets/disconnect-policy.ts";
import { type SlowedSocket, slowedBelow } from "../sockets/slowed-socket.ts";
import type { UpstreamConnection } from "../upstream/upstream-connection.ts";
import type { ClientNetwork, Http2ServeOptions, Unused } from "./client-network.ts";
import { type InnerRoute, type ReverseRoute, reachOf } from "./destination.ts";
import { StreamClient, type StreamHost } from "./http2-stream.ts";
import type { ClientHostPair } from "./silent-closes.ts";

/** One client socket with HTTP/2, inside a tunnel or on a reverse port: many exchanges at once, one per stream. */
export class Http2ClientConnection implements Closable, StreamHost {
  readonly socket: Socket;
  readonly ingress: InnerRoute | ReverseRoute;
  readonly network: ClientNetwork;
  readonly address: string;
  readonly reach: Reach;
  readonly slowed: SlowedSocket | null;
  readonly bound = new Map<string, UpstreamConnection>();
  readonly readTime: ReadTime;
  readonly events: StreamEvents;
  readonly memory: ConnectionMemory;
  readonly #number: number;
  readonly #session: ServerHttp2Session;
  readonly #gracefulClose: GracefulClose;
  readonly #unused: Unused | null;
  readonly #clientHost: ClientHostPair | null;
  readonly #streams = new Set<StreamClient>();
  #since: Instant;
  readonly #standstill = new Standstill();
  /**
   * `count`: how many streams the client opened and reset within one turn of the event loop. `at` identifies the turn.
   */
  #resetsAtOnce = { at: NEVER, count: 0 };
  #hasSettings = false;
  #draining = false;
  #error: Error | null = null;

  constructor(
    socket: Socket,
    ingress: InnerRoute | ReverseRoute,
    network: ClientNetwork,
    options: Http2ServeOptions = {},
  ) {
    this.socket = socket;
    this.slowed = slowedBelow(socket);
    this.ingress = ingress;
    this.network = network;
    this.address = plainAddress(socket.remoteAddress);
    this.reach = reachOf(ingress.kind === "origin" ? ingress.arrival : null, this.address);
    this.#number = options.connection ?? network.nextClientConnection(socket, this.reach.isRemote);
    this.#unused = options.unused ?? null;
    this.#clientHost = options.clientHost ?? null;
    this.readTime = new ReadTime(() => network.clock.now());
    this.events = new StreamEvents(socket);
    this.#since = network.clock.now();
    this.#session = nodeHttp2().performServerHandshake(socket, CLIENT_SESSION);
    this.events.watch(this.#session);
    this.memory = new ConnectionMemory(this.#session, () => network.clock.now());
    this.#gracefulClose = new GracefulClose(this.#session, () => this.#streams.size > 0);
  }

  start(): void {
    const { network, socket } = this;
    network.openConnections.add(this);
    this.memory.start();
    this.#session.on("remoteSettings", () => {
      this.#hasSettings = true;
    });
    this.#session.on("stream", this.#opened);
    this.#session.on("error", (error) => {
      this.#error ??= error;
      network.log?.client(socket, `failed${codeIn(error)}`);
    });
    this.#session.on("close", this.#closed);
    // After a half-close no WINDOW_UPDATE can arrive, so responses could not be completed.
    socket.on("end", () => this.#destroy("the client half-closed"));
  }

  connectionNumber(): number {
    return this.#number;
  }

  get draining(): boolean {
    return this.#draining;
  }

  requested(): void {
    if (this.#clientHost !== null) this.#clientHost.requestAt = this.network.clock.now();
  }

  expire(now: Instant): void {
    this.memory.unsent.recount();
    for (const stream of this.#streams) stream.expire(now);
    const { head, idle, linger, stall } = this.network.limits;
    const unread = this.#unreadBytes();
    const waited = now - this.#since;
    const still = Math.min(waited, this.#standstill.lasted(now, unread));
    if (this.#streams.size > 0) {
      if (still > (unread === 0 ? idle : stall)) this.#destroy(`the client took nothing for ${still} ms`);
    } else if (this.#session.closed || this.#session.destroyed) {
      if ((this.slowed?.unsent ?? 0) > 0) this.#since = now;
      else if (waited > linger) this.#destroy(`the client did not close for ${linger} ms`);
    } else if (waited > (this.#hasSettings ? idle : head))
      this.#closeGracefully(now, `idle for ${this.#hasSettings ? idle : head} ms`);
  }

  drain(): void {
    this.retire("Weir stops");
  }

  /** Sends GOAWAY (RFC 9113, 6.8), and closes after the open streams. */
  retire(reason = "it takes no further requests"): void {
    this.#draining = true;
    this.#closeGracefully(this.network.clock.now(), reason);
  }

  stop(): void {
    for (const stream of this.#streams) stream.stop();
    this.#destroy("Weir stops");
  }

  /** The number of response bytes that the client has not read; `null` while an exchange is in flight. */
  #unreadBytes(): Bytes | null {
    let bytes = 0;
    for (const stream of this.#streams) {
      if (stream.isInFlight) return null;
      bytes += stream.pendingBytes;
    }
    return bytes;
  }

  /**
   * Closes the session and its socket at once. If only the session were closed, Node would wait until the client has
   * read all unsent bytes, perhaps forever.
   */
  #destroy(reason: string): void {
    this.network.log?.client(this.socket, `closing: ${reason}`);
    this.#session.destroy(undefined, CODES.noError);
    this.socket.destroy();
  }

  /** Refuses new streams, and closes the connection after the exchanges in flight. */
  #closeGracefully(now: Instant, reason: string): void {
    this.network.log?.client(this.socket, `closing after its open streams: ${reason}`);
    this.#since = now;
    this.#gracefulClose.now();
  }

  readonly #opened = (stream: ServerHttp2Stream, _headers: unknown, flags: number, raw: RawFields): void => {
    outlives(this.#session, stream);
    const client = new StreamClient(stream, raw, this);
    this.#streams.add(client);
    const at = this.readTime.read();
    stream.once("aborted", () => {
      if (this.readTime.isOfThisTurn(at)) this.#onResetAtOnce(at);
    });
    client.start(raw, (flags & END_STREAM) !== 0);
    stream.once("close", () => {
      this.#streams.delete(client);
      this.#since = this.network.clock.now();
      this.#gracefulClose.streamOver();
    });
  };

  /**
   * Called when the client resets a stream in the same turn of the event loop that opened it. `at` identifies that
   * turn.
   */
  #onResetAtOnce(at: Instant): void {
    if (this.#resetsAtOnce.at !== at) this.#resetsAtOnce = { at, count: 0 };
    this.#resetsAtOnce.count += 1;
    if (this.#resetsAtOnce.count !== RESETS_AT_ONCE + 1) return;
    // Node ignores the code unless an error is given.
    this.#session.destroy(new Error(`more than ${RESETS_AT_ONCE} streams reset at once`), CODES.enhanceYourCalm);
  }

  readonly #closed = (): void => {
    this.network.openConnections.delete(this);
    for (const connection of this.bound.values()) connection.destroy();
    if (!this.#hasSettings && !this.#draining) this.#unused?.(this.#error);
  };
}

const NEVER = Number.NEGATIVE_INFINITY as Instant;
