import { readFileSync } from "node:fs";
import { getCACertificates } from "node:tls";

const KINDS = ["default", "system", "extra"] as const;

/**
 * What servers are verified against, PEM each: Node's list, the system's store, NODE_EXTRA_CA_CERTS, and the user's own
 * file (`--upstream-ca`) if there is one. Read when first asked for, since an idle Weir need not hold it (6 MB); the same
 * array ever after. A sentence, if that file cannot be used.
 */
export function upstreamRoots(file: string | null): (() => readonly string[]) | string {
  const own = file === null ? [] : rootsIn(file);
  if (typeof own === "string") return own;
  let roots: readonly string[] | null = null;
  return () => {
    roots ??= [...new Set(KINDS.flatMap((kind) => getCACertificates(kind))), ...own];
    return roots;
  };
}

function rootsIn(file: string): readonly string[] | string {
  try {
    const found = readFileSync(file, "utf8").match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
    return found ?? `${file} holds no certificate in PEM form.`;
  } catch (error) {
    return `it cannot be read: ${error instanceof Error ? error.message : String(error)}.`;
  }
}
