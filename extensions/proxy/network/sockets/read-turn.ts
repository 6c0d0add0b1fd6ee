import type { Bytes, Milliseconds } from "../../../../src/engine/model/units.ts";

/**
 * Default; not from a specification: how long a turn of the event loop may last before sockets with full deliveries are
 * paused.
 */
const SHARE: Milliseconds = 10;
/**
 * The size of a full delivery: a TLS record's content (RFC 8446, 5.1). After a smaller one, libuv itself stops reading
 * the socket.
 */
const FULL: Bytes = 16 * 1024;

/** A socket that is being read. */
export interface Readable {
  readonly destroyed: boolean;
  isPaused(): boolean;
  pause(): unknown;
  resume(): unknown;
}

/**
 * Shares the event loop among sockets. By itself, libuv reads up to 2 MiB from one socket before the next. Hundreds of
 * fast or costly sockets would make each turn last seconds. Once a turn has lasted longer than `SHARE`, sockets with
 * full deliveries are paused. Each later turn resumes as many of them, in order, as fit into `SHARE`.
 */
export class ReadTurn {
  readonly #now: () => Milliseconds;
  /** When the turn began; `null` if nothing was delivered and no socket waits. */
  #since: Milliseconds | null = null;
  #delivered = 0;
  readonly #waiting = new Set<Readable>();

  constructor(now: () => Milliseconds = () => performance.now()) {
    this.#now = now;
  }

  /** Call this after `socket` delivered `size` bytes and they were handled. May pause the socket for a while. */
  delivered(socket: Readable, size: Bytes): void {
    if (size < FULL) return;
    if (this.#since === null) this.#begin();
    this.#delivered += 1;
    // While other sockets wait, each socket is paused after one full delivery.
    const isOver = this.#waiting.size > 0 || this.#now() - (this.#since ?? 0) > SHARE;
    if (!isOver || socket.isPaused()) return;
    socket.pause();
    this.#waiting.add(socket);
  }

  /** Removes the socket, because it gets another owner. Resumes it if it is waiting. */
  forget(socket: Readable): void {
    if (this.#waiting.delete(socket)) socket.resume();
  }

  #begin(): void {
    this.#since = this.#now();
    this.#delivered = 0;
    setImmediate(this.#next);
  }

  readonly #next = (): void => {
    const lasted = this.#now() - (this.#since ?? 0);
    let places = Math.max(1, Math.floor((this.#delivered * SHARE) / lasted));
    this.#since = null;
    for (const socket of this.#waiting) {
      if (places === 0) break;
      places -= 1;
      this.#waiting.delete(socket);
      if (!socket.destroyed) socket.resume();
    }
    if (this.#waiting.size > 0) this.#begin();
  };
}

/** The only instance of the thread, which has one event loop. */
export const READ_TURN = new ReadTurn();
