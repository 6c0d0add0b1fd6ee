import type { Bytes } from "../../../../../src/engine/model/units.ts";

/**
 * The most bytes pending for one peer before its source is paused. With Node's default of 64 KiB, a fast stream would
 * be paused in each turn of the event loop.
 */
export const ROOM: Bytes = 256 * 1024;
/** Replaces `ROOM` when the budget is spent. The size of one TLS record. */
export const LEAST_ROOM: Bytes = 16 * 1024;
/** Above this many bytes pending for all peers, each peer may have only `LEAST_ROOM`. */
const BUDGET: Bytes = 64 * 1024 * 1024;
/** The estimated memory of a piece apart from its bytes (Buffer, backing store, queue slot). */
export const PIECE_WEIGHT: Bytes = 256;

/** An object with bytes in memory that a peer has not read yet, or that are not parsed yet. */
export interface Holder {
  /** The number of bytes held, including the overhead of each piece. */
  readonly held: Bytes;
}

/** Counts the bytes held for all peers of a thread, and limits them per peer (`ROOM`) and together (`BUDGET`). */
export class BufferBudget {
  readonly #most: Bytes;
  readonly #holders = new Map<Holder, Bytes>();
  #total: Bytes = 0;

  constructor(most = BUDGET) {
    this.#most = most;
  }

  /** The bytes of all holders, as last counted. */
  get total(): Bytes {
    return this.#total;
  }

  get isSpent(): boolean {
    return this.#total > this.#most;
  }

  /** Whether half of the budget is free, so that one peer may exceed its limit. */
  get hasSpare(): boolean {
    return this.#total < this.#most / 2;
  }

  /** Updates the count of `holder`; returns whether it may hold more. */
  count(holder: Holder): boolean {
    const { held } = holder;
    this.#total += held - (this.#holders.get(holder) ?? 0);
    if (held === 0) this.#holders.delete(holder);
    else this.#holders.set(holder, held);
    return held < (this.isSpent ? LEAST_ROOM : ROOM);
  }

  /** Updates the counts of all holders, because sockets send bytes without an event. Call this about once a second. */
  recount(): void {
    for (const holder of this.#holders.keys()) this.count(holder);
  }
}

/** The only budget of the thread, since all its sockets share the thread's memory. */
export const BUFFERS = new BufferBudget();

/**
 * Returns the same bytes in memory of at most twice their size: a part of a read would keep the whole read in memory.
 */
export function compact(bytes: Buffer): Buffer {
  if (2 * bytes.length >= bytes.buffer.byteLength) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
