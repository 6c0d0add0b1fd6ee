import { BlockList } from "node:net";
import { networkInterfaces } from "node:os";
import type { Instant, Milliseconds } from "../../../src/engine/model/units.ts";
import { familyOf, isPrivate } from "./address.ts";

/** Our choice: to ask the system takes longer than the rest of a look at an exchange; an address added later counts so soon. */
const REMEMBERED: Milliseconds = 1_000;

/** What a client from the network may not reach (security.md, S5): private addresses, and this machine by whatever address it has. */
export class InnerAddresses {
  readonly #read: typeof networkInterfaces;
  #own = new BlockList();
  #readAt: number = Number.NEGATIVE_INFINITY;

  constructor(read: typeof networkInterfaces = networkInterfaces) {
    this.#read = read;
  }

  /** However the address is spelled. */
  has(address: string, now: Instant): boolean {
    return isPrivate(address) || this.#ownAt(now).check(address, familyOf(address));
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
