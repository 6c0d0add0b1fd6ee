import { lookup } from "node:dns/promises";
import type { Address, Resolver } from "./network-options.ts";

/** The system's own look-up (getaddrinfo), hosts file included, in the order that the system prefers. */
export const systemResolver: Resolver = Object.freeze({
  lookup: async (name: string): Promise<readonly Address[]> => {
    const found = await lookup(name, { all: true, order: "verbatim" });
    return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
  },
});
