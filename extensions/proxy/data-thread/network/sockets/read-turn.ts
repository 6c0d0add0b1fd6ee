import type { Bytes, Milliseconds } from "../../../../../src/engine/model/units.ts";

/** How long a turn of the event loop may last before sockets with full deliveries are paused. */
const SHARE: Milliseconds = 10;
/**
 * docs/security.md L10: how long all slices of a turn may last. An exchange takes about eight turns, so it is short.
 */
const SLICES: Milliseconds = 2;
/**
 * docs/security.md L10: how many steps a slice may take even in a turn whose `SLICES` are used up. Enough for a whole
 * message of ordinary size, which would otherwise wait for two further turns or more.
 */
const LEAST = 6;
/**
 * The size of a full delivery: a TLS record's content (RFC 8446, 5.1). After a smaller one, libuv itself stops reading
 * the socket.
 */
const FULL: Bytes = 16 * 1024;

/** A part of one reader's work. The reader asks after each step, and continues in a later turn (`ReadTurn.later`). */
export interface Slice {
  /** Each look counts as a step. */
  readonly isOver: boolean;
}

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
 *
 * The handling of one delivery may itself take long, as of 30,000 WebSocket frames. So it is done in slices, which
 * share the turn.
 */
export class ReadTurn {
  readonly #now: () => Milliseconds;
  /** When the turn began; `null` if nothing was delivered and no socket waits. */
  #since: Milliseconds | null = null;
  #delivered = 0;
  readonly #waiting = new Set<Readable>();
  #later: (() => void)[] = [];

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

  /** Begins a slice of a reader's work. */
  slice(): Slice {
    return new TurnSlice(this);
  }

  get isUsedUp(): boolean {
    if (this.#since === null) this.#begin();
    return this.#now() - (this.#since ?? 0) > SLICES;
  }

  /** Calls `work` in a later turn, in the order of the calls. Each turn makes as many calls as fit into `SLICES`. */
  later(work: () => void): void {
    if (this.#since === null) this.#begin();
    this.#later.push(work);
  }

  /** Removes the socket, because it gets another owner. Resumes it if it is waiting. */
  forget(socket: Readable): void {
    if (this.#waiting.delete(socket)) socket.resume();
  }

  #begin(since = this.#now()): void {
    this.#since = since;
    this.#delivered = 0;
    setImmediate(this.#next);
  }

  readonly #next = (): void => {
    const now = this.#now();
    const lasted = now - (this.#since ?? 0);
    let budget = Math.max(1, Math.floor((this.#delivered * SHARE) / lasted));
    this.#since = null;
    for (const socket of this.#waiting) {
      if (budget === 0) break;
      budget -= 1;
      this.#waiting.delete(socket);
      if (!socket.destroyed) socket.resume();
    }
    if (this.#later.length > 0) this.#work(now);
    else if (this.#waiting.size > 0) this.#begin();
  };

  /** Makes the calls of this turn. They count as its beginning, so that deliveries after them get less of it. */
  #work(since: Milliseconds): void {
    this.#begin(since);
    const due = this.#later;
    this.#later = [];
    let done = 0;
    while (done < due.length && (done === 0 || this.#now() - since <= SLICES)) {
      due[done]?.();
      done += 1;
    }
    this.#later = [...due.slice(done), ...this.#later];
  }
}

/** A class, because an object literal with a getter takes V8 3 µs, which is more than a WebSocket message takes. */
class TurnSlice implements Slice {
  readonly #turn: ReadTurn;
  #steps = 0;

  constructor(turn: ReadTurn) {
    this.#turn = turn;
  }

  get isOver(): boolean {
    this.#steps += 1;
    return this.#steps > LEAST && this.#turn.isUsedUp;
  }
}

/** The only instance of the thread, which has one event loop. */
export const READ_TURN = new ReadTurn();
