import { lookup } from "node:dns/promises";
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import type { Address, Resolver } from "../network-options.ts";

/** The system's own lookup (getaddrinfo), with the hosts file and in the system's order of preference. */
export const systemResolver: Resolver = Object.freeze({
  lookup: async (name: string): Promise<readonly Address[]> => {
    const found = await lookup(name, { all: true, order: "verbatim" }).catch((error: unknown) => {
      expectDescriptors();
      throw error;
    });
    return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
  },
});

/** Throws if no descriptors are left, since the lookup would then report an unknown name. */
function expectDescriptors(): void {
  closeSync(openSync(devNull, "r"));
}
