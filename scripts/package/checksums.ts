import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** The file with the checksums. */
export const SUMS = "SHA256SUMS";

/** The text of SHA256SUMS (sha256sum(1)): a line for each file below `folder` that is for others. */
export function sumsOf(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .filter((path) => !path.startsWith(".") && path !== SUMS)
    .toSorted()
    .map((path) => `${sha256(join(folder, path))}  ${path}\n`)
    .join("");
}

/** SHA-256 of a file, in hexadecimal. */
export function sha256(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
