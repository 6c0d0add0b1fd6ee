import { lookup } from "node:dns/promises";
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import type { Address, Resolver } from "./network-options.ts";

/** The system's own look-up (getaddrinfo), hosts file included, in the order that the system prefers. */
export const systemResolver: Resolver = Object.freeze({
  lookup: async (name: string): Promise<readonly Address[]> => {
    const found = await lookup(name, { all: true, order: "verbatim" }).catch((error: unknown) => {
      expectDescriptors();
      throw error;
    });
    return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
  },
});

/** Where there are none left, the system's look-up cannot ask anybody, and says that it knows no such name. */
function expectDescriptors(): void {
  closeSync(openSync(devNull, "r"));
}
