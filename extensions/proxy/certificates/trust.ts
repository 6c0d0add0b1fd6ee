import { createHash } from "node:crypto";

/**
 * Whether `certificates` hold the one with this SHA-256 fingerprint (hex pairs with colons). Give it what
 * `tls.getCACertificates("system")` says in a process started for the question: Node asks the system once per process.
 * Weir reads that store and never writes to it.
 */
export function isTrusted(fingerprint: string, certificates: readonly string[]): boolean {
  return certificates.some((pem) => fingerprintOf(pem) === fingerprint);
}

/** Without parsing: a store may hold certificates that OpenSSL would not read. */
function fingerprintOf(pem: string): string {
  const body = pem.replaceAll(/-----[^-]+-----|\s/g, "");
  const digest = createHash("sha256").update(Buffer.from(body, "base64")).digest("hex").toUpperCase();
  return digest.match(/../g)?.join(":") ?? "";
}
