import type { Bytes } from "../../../../src/engine/model/units.ts";

/**
 * Default; not from a specification. Bytes that may be pending for one peer before its source pauses. With Node's
 * default of 64 KiB, a fast stream would pause at every turn of the event loop.
 */
export const ROOM: Bytes = 256 * 1024;
/** Default; not from a specification. Replaces `ROOM` while the budget is spent: one TLS record. */
export const LEAST_ROOM: Bytes = 16 * 1024;
/** Default; not from a specification. Bytes pending for all peers; beyond it, each peer has only `LEAST_ROOM`. */
const BUDGET: Bytes = 64 * 1024 * 1024;
/** Estimated overhead of a piece besides its bytes (Buffer, backing store, queue slot); for these limits only. */
export const PIECE_WEIGHT: Bytes = 256;

/** Holds bytes in memory until a peer takes them or they are parsed. */
export interface Holder {
  /** Bytes held, including each piece's overhead. */
  readonly held: Bytes;
}

/** Counts the bytes held for all peers of a thread, and limits them per peer (`ROOM`) and together (`BUDGET`). */
export class HeldBudget {
  readonly #most: Bytes;
  readonly #holders = new Map<Holder, Bytes>();
  #total: Bytes = 0;

  constructor(most = BUDGET) {
    this.#most = most;
  }

  /** Bytes of all holders, as last counted. */
  get total(): Bytes {
    return this.#total;
  }

  get isSpent(): boolean {
    return this.#total > this.#most;
  }

  /** Whether enough budget is left for one peer to exceed its room. */
  get hasSpare(): boolean {
    return this.#total < this.#most / 2;
  }

  /** Recounts `holder`; returns whether it may hold more. */
  count(holder: Holder): boolean {
    const { held } = holder;
    this.#total += held - (this.#holders.get(holder) ?? 0);
    if (held === 0) this.#holders.delete(holder);
    else this.#holders.set(holder, held);
    return held < (this.isSpent ? LEAST_ROOM : ROOM);
  }

  /** Recounts all holders, since sockets send without notice. Call it about once a second. */
  recount(): void {
    for (const holder of this.#holders.keys()) this.count(holder);
  }
}

/** One per thread, which has one memory. */
export const HELD = new HeldBudget();
