import type { Bytes } from "../../../../../src/engine/model/units.ts";

const MIB: Bytes = 1024 * 1024;

/** The most unread bytes of all HTTP/2 connections; with the 64 MiB of `sockets/buffer-budget.ts`, 256 MiB. */
const MOST_OF_ALL: Bytes = 192 * MIB;

export interface Unread {
  readonly unread: Bytes;
  /** Called when the budget becomes spent, or is no longer spent. */
  regulate(): void;
  /** Ends the connection, which frees its unread bytes. */
  overflow(): void;
}

export class UnreadStreamBudget {
  readonly #most: Bytes;
  readonly #connections = new Set<Unread>();
  #total: Bytes = 0;

  constructor(most = MOST_OF_ALL) {
    this.#most = most;
  }

  get total(): Bytes {
    return this.#total;
  }

  /** Whether half is spent. From then on, connections with many unread bytes may send no more. */
  get isSpent(): boolean {
    return this.#total > this.#most / 2;
  }

  /** Adds `bytes`, which may be negative, of `connection`. Beyond the budget, ends the connection with the most. */
  count(connection: Unread, bytes: Bytes): void {
    const wasSpent = this.isSpent;
    this.#total += bytes;
    if (connection.unread === 0) this.#connections.delete(connection);
    else this.#connections.add(connection);
    if (this.isSpent !== wasSpent) for (const one of this.#connections) one.regulate();
    if (this.#total > this.#most) this.#largest()?.overflow();
  }

  #largest(): Unread | null {
    let largest: Unread | null = null;
    for (const one of this.#connections) if (largest === null || one.unread > largest.unread) largest = one;
    return largest;
  }
}

/** The only budget of the thread, since all its connections share the thread's memory. */
export const UNREAD_STREAMS = new UnreadStreamBudget();
