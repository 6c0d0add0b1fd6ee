import { readFileSync } from "node:fs";
import { getCACertificates } from "node:tls";

/**
 * What servers are verified against, PEM each: Node's list, the system's store, NODE_EXTRA_CA_CERTS, and the user's own
 * file (`--upstream-ca`) if there is one. A sentence, if that file cannot be used.
 */
export function upstreamRoots(file: string | null): readonly string[] | string {
  const kinds = ["default", "system", "extra"] as const;
  const roots = [...new Set(kinds.flatMap((kind) => getCACertificates(kind)))];
  if (file === null) return roots;
  try {
    const own = readFileSync(file, "utf8").match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
    return own === null ? `${file} holds no certificate in PEM form.` : [...roots, ...own];
  } catch (error) {
    return `it cannot be read: ${error instanceof Error ? error.message : String(error)}.`;
  }
}
