import { Buffer } from "node:buffer";
import { Writable } from "node:stream";
import type { Bytes, Milliseconds } from "../../../../../src/engine/model/units.ts";
import { BUFFERS, type BufferBudget, type Holder, PIECE_WEIGHT } from "./buffer-budget.ts";

/** Pieces that together fit into a TLS record are copied into one write. */
const JOINED = 16 * 1024;

const NOTHING = Buffer.alloc(0);

/** A receiver of bytes: a socket, or an HTTP/2 stream with the same interface. */
export interface Sink {
  /** The number of unsent bytes; absent if the sink itself coalesces the writes of a turn. */
  readonly writableLength?: number;
  readonly destroyed?: boolean;
  /** Returns false if the caller must wait for its `drain`. Text is latin1. */
  write(piece: string | Buffer, encoding?: "latin1"): boolean;
  /** From now on, writes wait; `uncork` sends them together. */
  cork(): void;
  uncork(): void;
}

/** The output for one socket, collected while a piece of input is parsed, then written together. */
export class WriteBuffer implements Holder {
  #socket: Sink | null;
  readonly #turn: WriteBatcher;
  readonly #budget: BufferBudget;
  #pieces: (string | Buffer)[] = [];
  #size = 0;
  #notes: (() => void)[] = [];
  /** Whether the buffer will be flushed at the end of this turn. */
  #waits = false;
  /** The number of pieces written since the socket was last empty. */
  #handed = 0;
  #isAwaited = false;

  constructor(socket: Sink | null, turn = WRITE_BATCHER, budget = BUFFERS) {
    this.#socket = socket;
    this.#turn = turn;
    this.#budget = budget;
  }

  /** The number of bytes collected and not written yet. */
  get size(): number {
    return this.#size;
  }

  /** The number of bytes held here and in the socket, with the overhead of each piece. */
  get held(): Bytes {
    const own = this.#size + this.#pieces.length * PIECE_WEIGHT;
    const { writableLength = 0, destroyed = false } = this.#socket ?? {};
    if (destroyed) return 0;
    return writableLength === 0 ? own : own + writableLength + this.#handed * PIECE_WEIGHT;
  }

  /** Whether more may be added. If false, wait for the socket's `drain`. */
  hasRoom(): boolean {
    if (this.#budget.count(this)) return true;
    this.#awaitDrain();
    return false;
  }

  attach(socket: Sink): void {
    this.#socket = socket;
  }

  /** Text is latin1, so that a head is sent with exactly the bytes received. */
  add(piece: string | Buffer): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece);
    this.#size += piece.length;
  }

  /** Calls `note` just before the pieces added so far are written; at once if there are none. */
  beforeFlush(note: () => void): void {
    if (this.#size === 0) note();
    else this.#notes.push(note);
  }

  /** Writes everything to the socket. If false, wait for its `drain` before adding more. */
  flush(): boolean {
    this.#waits = false;
    const socket = this.#socket;
    if (socket === null) return this.#size === 0;
    if (this.#size === 0) return true;
    // Checked before the write, because the write itself fills the socket.
    if (socket.writableLength === 0) this.#handed = 0;
    const notes = this.#notes;
    const blocks = blocksOf(this.#pieces, this.#size);
    this.#notes = [];
    this.#pieces = [];
    this.#size = 0;
    for (const note of notes) note();
    const asks = written(socket, blocks);
    if (socket.writableLength === undefined) return asks;
    // Everything was sent at once.
    if (socket.writableLength === 0 && this.#handed === 0) return true;
    this.#handed += blocks.length;
    return this.hasRoom();
  }

  /** Like `flush`, but may defer a small write to the end of this turn of the event loop, to join it with others. */
  flushSoon(): boolean {
    // A flush without bytes must not count as the first of a turn.
    if (this.#size === 0) return true;
    if (this.#size > JOINED || this.#socket?.writableLength !== 0) return this.flush();
    if (this.#waits) return true;
    const hasRoom = this.#turn.flush(this);
    this.#waits = hasRoom === null;
    return hasRoom ?? true;
  }

  /** Flushes deferred bytes now, because the connection is about to end or to get another owner. */
  flushWaiting(): void {
    if (this.#waits) this.flush();
  }

  /** Drops what was not written yet. */
  discard(): void {
    this.#notes = [];
    this.#pieces = [];
    this.#size = 0;
  }

  /**
   * Makes the socket emit `drain` once it is empty. By itself, Node emits `drain` only after the high-water mark was
   * exceeded. But Node calls back for an empty write once all earlier bytes were sent.
   */
  #awaitDrain(): void {
    const socket = this.#socket;
    if (!(socket instanceof Writable) || socket.writableNeedDrain || this.#isAwaited) return;
    this.#isAwaited = true;
    socket.write(NOTHING, () => {
      this.#isAwaited = false;
      if (!socket.destroyed) socket.emit("drain");
    });
  }
}

/** Copies adjacent small pieces into one; returns the same bytes in fewer pieces. */
function blocksOf(pieces: readonly (string | Buffer)[], size: Bytes): readonly (string | Buffer)[] {
  if (pieces.length === 1) return pieces;
  if (size <= JOINED) return [joined(pieces, size)];
  const blocks: (string | Buffer)[] = [];
  let small: (string | Buffer)[] = [];
  let smallSize = 0;
  const close = (): void => {
    if (small.length > 0) blocks.push(joined(small, smallSize));
    small = [];
    smallSize = 0;
  };
  for (const piece of pieces) {
    if (smallSize + piece.length > JOINED) close();
    if (piece.length > JOINED / 4) {
      close();
      blocks.push(piece);
    } else {
      small.push(piece);
      smallSize += piece.length;
    }
  }
  close();
  return blocks;
}

/** Writes `blocks`; returns whether the socket accepts more. */
function written(socket: Sink, blocks: readonly (string | Buffer)[]): boolean {
  const [only] = blocks;
  if (blocks.length === 1 && only !== undefined) return write(socket, only);
  socket.cork();
  let asks = true;
  for (const block of blocks) asks = write(socket, block);
  socket.uncork();
  return asks;
}

function write(socket: Sink, piece: string | Buffer): boolean {
  return typeof piece === "string" ? socket.write(piece, "latin1") : socket.write(piece);
}

function joined(pieces: readonly (string | Buffer)[], size: number): Buffer {
  const whole = Buffer.allocUnsafe(size);
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") whole.write(piece, at, "latin1");
    else whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/**
 * A write this soon after the first write of a turn belongs to the same turn. Handling one socket takes less time than
 * this; a lone client's round trip takes more.
 */
const SAME_TURN: Milliseconds = 0.05;

/** An object with bytes to flush, now or a moment later. */
interface Waiting {
  flush(): boolean;
}

/**
 * Coalesces the writes of one turn of the event loop. Node reads every ready socket before an immediate runs, so
 * deferred writes go out together and wake each reader only once. Waking a sleeping process for each message is costly
 * (docs/measurements.md).
 *
 * The first write of a turn goes out at once. A write counts as the first if the previous first one is more than
 * `SAME_TURN` ago. Time separates the turns, because a `setImmediate` in every turn would slow down lone requests.
 */
export class WriteBatcher {
  readonly #now: () => Milliseconds;
  #firstAt: Milliseconds = Number.NEGATIVE_INFINITY;
  #waiting: Waiting[] = [];

  constructor(now: () => Milliseconds = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Flushes `one` now if it is the first of the turn, else at the turn's end. Returns the result of the flush; `null`
   * if it is deferred.
   */
  flush(one: Waiting): boolean | null {
    if (this.#waiting.length === 0 && this.#now() - this.#firstAt > SAME_TURN) {
      const hasRoom = one.flush();
      this.#firstAt = this.#now();
      return hasRoom;
    }
    if (this.#waiting.push(one) === 1) setImmediate(this.#flush);
    return null;
  }

  readonly #flush = (): void => {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const one of waiting) one.flush();
  };
}

/** The only instance of the thread, which has one event loop. */
const WRITE_BATCHER = new WriteBatcher();
