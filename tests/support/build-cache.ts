import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** Where compilers of the proofs keep what does not depend on a snippet, from one run to the next. */
export function buildCache(name: string): string {
  const folder = join(import.meta.dirname, "../../node_modules/.cache/weir-proofs", name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
