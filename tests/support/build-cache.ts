import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** The cache folder in which a proof's compiler keeps what does not depend on the snippet. */
export function buildCache(name: string): string {
  const folder = join(import.meta.dirname, "../../node_modules/.cache/weir-proofs", name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
