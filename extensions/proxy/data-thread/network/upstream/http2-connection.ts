import type { ClientHttp2Session, ClientHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import type { Instant, Milliseconds } from "../../../../../src/engine/model/units.ts";
import { CODES } from "../http2/codes.ts";
import { ConnectionMemory, STREAMS } from "../http2/connection-memory.ts";
import { GracefulClose } from "../http2/graceful-close.ts";
import { LAST_STREAM, MOST_RESETS, SERVER_SESSION } from "../http2/limits.ts";
import type { RawFields } from "../http2/message-text.ts";
import { nodeHttp2 } from "../http2/node-http2.ts";
import { ReadTime } from "../http2/read-time.ts";
import { outlives } from "../http2/session-lifetime.ts";
import { StreamEvents } from "../http2/stream-events.ts";
import { UnreadInput } from "../http2/unread-input.ts";
import { codeIn, type LogEvent } from "../sockets/connection-log.ts";
import { Standstill } from "../sockets/disconnect-policy.ts";
import type { PooledSocket } from "./dial.ts";

/**
 * One connection to an HTTP/2 server, shared by the exchanges of all clients; each exchange has a stream of its own.
 */
export class Http2ServerConnection {
  readonly opened: PooledSocket;
  used = false;
  idleSince: Instant;
  /** Called when the connection accepts more streams, has replied to a PING, or has ended. */
  whenChanged: () => void = () => {};
  /** Called when the server requires HTTP/1.1. */
  whenUnwanted: () => void = () => {};
  readonly readTime: ReadTime;
  readonly events: StreamEvents;
  readonly memory: ConnectionMemory;
  readonly #session: ClientHttp2Session;
  readonly #gracefulClose: GracefulClose;
  readonly #socket: Socket;
  readonly #log: LogEvent | null;
  readonly #streams = new Set<ClientHttp2Stream>();
  /** Open streams of completed exchanges. */
  readonly #lingering = new Map<ClientHttp2Stream, Standstill>();
  /** The number of reserved streams, including those that have begun. */
  #reserved = 0;
  /** How many streams Weir has reset. */
  #resets = 0;
  #limit: number | null = null;
  #assumedLimit = 0;
  #isOpen = true;
  #isHalfClosed = false;
  #lastProcessed: number | null = null;
  /** How many bytes had arrived at the last `sweep`, and when a sweep last found new ones. */
  #bytes = 0;
  #lastByteAt: Instant;
  #pingTimer: NodeJS.Timeout | null = null;
  /** Whether the server has just replied to a PING. */
  #hasJustReplied = false;

  constructor(opened: PooledSocket, now: () => Instant) {
    const { socket, openedAt, log } = opened;
    this.opened = opened;
    this.idleSince = openedAt;
    this.#lastByteAt = openedAt;
    this.#log = log;
    this.readTime = new ReadTime(now);
    this.events = new StreamEvents(socket);
    this.#socket = socket;
    // This URL is never sent, since every request sets its own scheme and authority.
    this.#session = nodeHttp2().connect("https://localhost", { ...SERVER_SESSION, createConnection: () => socket });
    this.events.watch(this.#session);
    this.#gracefulClose = new GracefulClose(this.#session, () => this.#streams.size > 0);
    this.memory = new ConnectionMemory(this.#session, now);
    this.memory.start();
    this.#session.on("remoteSettings", ({ maxConcurrentStreams }) => {
      this.#log?.(`HTTP/2 settings received: ${maxConcurrentStreams ?? "unlimited"} streams at once`);
      this.#limit = Math.min(STREAMS, maxConcurrentStreams ?? STREAMS);
      this.whenChanged();
    });
    this.#session.on("goaway", (code: number, last: number) => {
      this.#log?.(`GOAWAY received: code ${code}, last stream ${last}`);
      this.#lastProcessed = last;
      this.#ended();
    });
    // The streams themselves report the errors.
    this.#session.on("error", this.#ended);
    this.#session.on("close", this.#ended);
    socket.on("end", this.#halfClosed);
  }

  /** Whether the connection accepts further requests, now or later. */
  get isOpen(): boolean {
    return this.#isOpen && !this.#gracefulClose.isWanted && !this.#session.destroyed;
  }

  /**
   * Whether the server has neither half-closed nor disconnected. A stream that ends while this is true did not end
   * because of the connection.
   */
  get isConnected(): boolean {
    return !this.#isHalfClosed && !this.#session.destroyed;
  }

  /** Whether the connection accepts another stream now. */
  get hasRoom(): boolean {
    return this.isOpen && this.#reserved < (this.#limit ?? this.#assumedLimit);
  }

  /** Whether all streams that the server allows are in use; false before the server has announced its limit. */
  get isFull(): boolean {
    return this.#limit !== null && this.#reserved >= this.#limit;
  }

  /** How many streams the server allows at once; `null` before its SETTINGS, the first frame (RFC 9113, 3.4). */
  get limit(): number | null {
    return this.#limit;
  }

  /** How many streams to assume before the server announces its limit. */
  set assumedLimit(limit: number) {
    this.#assumedLimit = limit;
  }

  get streams(): number {
    return this.#reserved;
  }

  /** Reserves a stream. Each call needs one call of `release`. */
  reserve(): void {
    this.#reserved += 1;
  }

  release(at: Instant): void {
    this.#reserved -= 1;
    this.idleSince = at;
    this.whenChanged();
  }

  /** Begins a stream, which always emits `close`. */
  request(fields: RawFields, endStream: boolean, waitForTrailers: boolean): ClientHttp2Stream {
    // If a graceful close is pending, closes the session at once. Node then rejects this request with its own error.
    if (this.#gracefulClose.isWanted) this.#gracefulClose.now();
    this.memory.opened();
    const stream = this.#session.request(fields, { endStream, waitForTrailers });
    outlives(this.#session, stream);
    new UnreadInput(stream, this.memory);
    this.#streams.add(stream);
    stream.once("close", () => {
      this.#streams.delete(stream);
      this.#lingering.delete(stream);
      this.#gracefulClose.streamOver();
    });
    // RFC 9113, 5.1.1: stream numbers are used up.
    if (stream.id === LAST_STREAM) this.#retire();
    return stream;
  }

  /**
   * Call this when a stream is about to be reset. A server ends a connection with many resets, and all its streams, so
   * after `MOST_RESETS` further streams use another connection.
   */
  resetting(): void {
    this.#resets += 1;
    if (this.#resets === MOST_RESETS) this.#retire();
  }

  /**
   * Marks a stream whose request and response are complete. `sweep` closes the stream if the server neither ends it nor
   * reads more of the request within the limit.
   */
  linger(stream: ClientHttp2Stream): void {
    this.#lingering.set(stream, new Standstill());
  }

  /** RFC 9113, 6.8 and 8.7: whether the server has declared that it did not process this stream. */
  isUnprocessed(stream: ClientHttp2Stream): boolean {
    if (stream.id === undefined) return true;
    return this.#lastProcessed !== null && stream.id > this.#lastProcessed;
  }

  /**
   * Closes lingering streams without progress for longer than `limit`, and checks whether the server has sent bytes.
   * Call this about once a second: changes since the last call count as made now.
   */
  sweep(now: Instant, limit: Milliseconds): void {
    this.memory.unsent.recount();
    for (const [stream, standstill] of this.#lingering) {
      if (standstill.lasted(now, stream.bufferSize) <= limit) continue;
      this.resetting();
      stream.close(CODES.cancel);
    }
    const { bytesRead } = this.#socket;
    if (bytesRead === this.#bytes) return;
    this.#bytes = bytesRead;
    this.#lastByteAt = now;
  }

  /** Whether the server was silent for longer than `limit`, and may have disconnected without a FIN. */
  isSilent(now: Instant, limit: Milliseconds): boolean {
    return !this.#hasJustReplied && now - Math.max(this.#lastByteAt, this.idleSince) >= limit;
  }

  /** Sends a PING (RFC 9113, 8.7). Ends the connection if no byte arrives within `limit`. */
  ping(limit: Milliseconds, now: () => Instant): void {
    if (this.#pingTimer !== null) return;
    this.#log?.("PING sent");
    this.#session.ping((error) => {
      if (error !== null || this.#pingTimer === null) return;
      clearTimeout(this.#pingTimer);
      this.#pingTimer = null;
      this.#lastByteAt = now();
      this.#hasJustReplied = true;
      this.whenChanged();
      this.#hasJustReplied = false;
    });
    this.#awaitReply(limit);
  }

  closeGracefully(): void {
    if (this.#isOpen) this.#log?.("closes after its open streams");
    this.#isOpen = false;
    this.#gracefulClose.afterStreams();
  }

  destroy(error?: Error): void {
    this.#log?.(`closed by Weir${codeIn(error ?? null)}`);
    this.#isOpen = false;
    this.#session.destroy(error);
    // Without this, Node would wait until the server has read all unsent bytes.
    this.#socket.destroy();
  }

  /**
   * Ends the connection if no byte arrives within `limit`, else waits again. Data that the server sent earlier may
   * delay the reply to the PING.
   */
  #awaitReply(limit: Milliseconds): void {
    const { bytesRead } = this.#socket;
    this.#pingTimer = setTimeout(() => {
      if (this.#socket.bytesRead === bytesRead) this.destroy(silence(limit));
      else this.#awaitReply(limit);
    }, limit);
  }

  readonly #ended = (): void => {
    if (this.#isOpen) this.#log?.("accepts no more streams");
    this.#isOpen = false;
    if (this.#pingTimer !== null) clearTimeout(this.#pingTimer);
    this.#pingTimer = null;
    this.whenChanged();
  };

  /**
   * Called when the server half-closes. Complete responses can still be read; other streams are destroyed at once,
   * because Node defers a reset until the server sends more.
   */
  readonly #halfClosed = (): void => {
    this.#isHalfClosed = true;
    for (const stream of this.#streams) if (!stream.closed) stream.destroy();
    this.#retire();
  };

  #retire(): void {
    this.closeGracefully();
    this.whenChanged();
  }
}

/** The error for all streams of a connection whose server did not reply to a PING. */
function silence(after: Milliseconds): Error {
  return Object.assign(new Error(`no answer to PING for ${after} ms`), { code: "ERR_HTTP2_PING_UNANSWERED" });
}
