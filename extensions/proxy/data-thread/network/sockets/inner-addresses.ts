import { BlockList } from "node:net";
import { networkInterfaces } from "node:os";
import type { Instant, Milliseconds } from "../../../../../src/engine/model/units.ts";
import { familyOf, isLoopback, isPrivate } from "./address.ts";

/**
 * How long this computer's addresses are cached. Reading them takes longer than the
 * rest of an exchange's start.
 */
const REMEMBERED: Milliseconds = 1_000;

const UNSPECIFIED: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/**
 * Addresses that a client from the network may not reach (docs/security.md S5): private ones, and all of this computer.
 */
export class InnerAddresses {
  readonly #read: typeof networkInterfaces;
  #own = new BlockList();
  #readAt: number = Number.NEGATIVE_INFINITY;

  constructor(read: typeof networkInterfaces = networkInterfaces) {
    this.#read = read;
  }

  /** Whether the address is private or belongs to this computer. */
  has(address: string, now: Instant): boolean {
    return isPrivate(address) || this.#ownAt(now).check(address, familyOf(address));
  }

  /** Whether the address leads to this computer: loopback, unspecified (RFC 1122, 3.2.1.3), or one of its own. */
  isOwn(address: string, now: Instant): boolean {
    return isLoopback(address) || UNSPECIFIED.has(address) || this.#ownAt(now).check(address, familyOf(address));
  }

  #ownAt(now: Instant): BlockList {
    if (now - this.#readAt < REMEMBERED) return this.#own;
    this.#readAt = now;
    this.#own = new BlockList();
    for (const all of Object.values(this.#read()))
      for (const { address } of all ?? []) this.#own.addAddress(address, familyOf(address));
    return this.#own;
  }
}
