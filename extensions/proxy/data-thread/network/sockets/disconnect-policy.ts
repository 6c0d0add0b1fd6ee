import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import type { Bytes, Instant, Milliseconds } from "../../../../../src/engine/model/units.ts";
import type { Closable, SocketNetwork } from "./closable.ts";

/** TCP keep-alive for clients. A sleeping phone has three minutes to respond. */
export const KEEP_ALIVE = Object.freeze({ enable: true, initialDelay: 60_000, interval: 30_000, count: 4 });

const NOTHING = Buffer.alloc(0);

/**
 * Detects at each sweep that a socket's peer has disconnected, without sending anything:
 *
 * - A reset: Node does not notice it on a paused socket. Writing zero bytes sends nothing, but fails after a reset, and
 *   a failed write destroys the socket.
 * - A stall: bytes are pending, and the peer read none within the time-out. Progress is visible only in large steps.
 *   Node counts a write when all of it is sent; Linux calls a socket writable when a third of its buffer (up to 4 MiB,
 *   tcp(7)) is free.
 */
export class DisconnectPolicy {
  readonly #socket: Socket;
  readonly #transport: Socket;
  readonly #standstill = new Standstill();

  /** `transport`: the TCP connection, if `socket` is TLS over it. */
  constructor(socket: Socket, transport: Socket = socket) {
    this.#socket = socket;
    this.#transport = transport;
  }

  /** Detects a reset by a peer whose socket is not being read. */
  detectReset(): void {
    const isRead = !this.#socket.isPaused() && !this.#socket.readableEnded;
    if (!isRead && this.#transport.writable) this.#transport.write(NOTHING);
  }

  /** Whether bytes are pending and the peer has read none of them for longer than `limit`. */
  isStalled(now: Instant, limit: Milliseconds): boolean {
    const { bytesWritten, writableLength } = this.#socket;
    const taken = writableLength === 0 ? null : bytesWritten - writableLength;
    return this.#standstill.lasted(now, taken) > limit;
  }
}

/**
 * Half-closes a socket that has no other listeners, and discards its input until the peer ends. Closing it with unread
 * input would cause a reset, which may discard the last bytes sent.
 */
export class ClosingSocket implements Closable {
  readonly #socket: Socket;
  readonly #network: SocketNetwork;
  readonly #policy: DisconnectPolicy;
  /** When unsent bytes were last seen. */
  #since: Instant;

  constructor(socket: Socket, network: SocketNetwork) {
    this.#socket = socket;
    this.#network = network;
    this.#policy = new DisconnectPolicy(socket);
    this.#since = network.clock.now();
    if (socket.destroyed) return;
    network.openConnections.add(this);
    socket.on("close", () => network.openConnections.delete(this));
    socket.on("end", () => socket.destroySoon());
    socket.end();
    if (socket.readableEnded) socket.destroySoon();
    socket.resume();
  }

  expire(now: Instant): void {
    const { stall, linger } = this.#network.limits;
    if (this.#socket.writableLength > 0) this.#since = now;
    if (this.#policy.isStalled(now, stall) || now - this.#since > linger) this.#socket.destroy();
  }

  drain(): void {
    this.#socket.destroySoon();
  }

  stop(): void {
    this.#socket.destroy();
  }
}

/**
 * Keeps `socket` open after a failed write, so that a response sent before the failure can still be read. The returned
 * function returns the error of that write; `null` if no write failed.
 */
export function readAfterFailedWrite(socket: Socket): () => Error | null {
  let failed: Error | null = null;
  const noted =
    (done: (error?: Error | null) => void) =>
    (error?: Error | null): void => {
      failed ??= error ?? null;
      done();
    };
  const write = socket._write.bind(socket);
  const writev = socket._writev?.bind(socket);
  socket._write = (chunk, encoding, done) => write(chunk, encoding, noted(done));
  if (writev !== undefined) socket._writev = (chunks, done) => writev(chunks, noted(done));
  return () => failed;
}

/** Undoes `readAfterFailedWrite`. */
export function closeOnFailedWrite(socket: Socket): void {
  Reflect.deleteProperty(socket, "_write");
  Reflect.deleteProperty(socket, "_writev");
}

/** Measures how long a transfer has made no progress. Only `lasted` notices progress, so call it at each sweep. */
export class Standstill {
  #count: Bytes | null = null;
  #since: Instant | null = null;

  /**
   * Returns how long `count` has been the same. `count` changes with progress, and is `null` while no progress is
   * expected.
   */
  lasted(now: Instant, count: Bytes | null): Milliseconds {
    if (count === null || count !== this.#count) this.#since = now;
    this.#count = count;
    return now - (this.#since ?? now);
  }
}
