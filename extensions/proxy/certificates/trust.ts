import { createHash } from "node:crypto";

/**
 * Whether `certificates` contain the one with this SHA-256 fingerprint (hex pairs with colons). Pass the result of
 * `tls.getCACertificates("system")` from a fresh process, since Node reads the store only once per process. Weir reads
 * the store and never writes to it.
 */
export function isTrusted(fingerprint: string, certificates: readonly string[]): boolean {
  return certificates.some((pem) => fingerprintOf(pem) === fingerprint);
}

/** Hashes without parsing, since a store may contain certificates that OpenSSL rejects. */
function fingerprintOf(pem: string): string {
  const body = pem.replaceAll(/-----[^-]+-----|\s/g, "");
  const digest = createHash("sha256").update(Buffer.from(body, "base64")).digest("hex").toUpperCase();
  return digest.match(/../g)?.join(":") ?? "";
}
