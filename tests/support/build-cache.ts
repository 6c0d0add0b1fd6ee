import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** The cache folder in which the compiler of a proof keeps results that do not depend on the snippet. */
export function buildCache(name: string): string {
  const folder = join(import.meta.dirname, "../../node_modules/.cache/weir-proofs", name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
