import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";

/** Codes with which a look-up fails, as `dns.lookup` has them; ERR_TOO_MANY_LOOKUPS is ours. */
export type LookupCode = "ENOTFOUND" | "EAI_AGAIN" | "ERR_TOO_MANY_LOOKUPS";

/** Why a look-up has no addresses. `code`: a `LookupCode`, or the system's own code. */
export class LookupError extends Error {
  readonly code: string;

  constructor(code: string, name: string) {
    super(`${code} ${name}`);
    this.code = code;
  }
}

/** Throws the system's error if no descriptors are left, since a look-up would report that as an unknown name. */
export function expectDescriptors(): void {
  closeSync(openSync(devNull, "r"));
}
