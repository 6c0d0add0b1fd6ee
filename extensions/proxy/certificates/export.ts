import type { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { getCACertificates } from "node:tls";
import type { CertificateFacts } from "../../../src/engine/capture/event.ts";
import type { Problem } from "../../../src/engine/model/result.ts";
import { codeOf, errorText, writePrivateFile } from "../storage/private-file.ts";
import { ROOT_NAME, type Root } from "./root.ts";
import { DAY, pemOf } from "./x509.ts";

/**
 * Paths of the exported files, which contain the certificate but not its key. The paths are absolute if the folder's
 * path is.
 */
export interface ExportedFiles {
  /** Our root alone, as PEM, for settings that add to a tool's trusted roots. */
  readonly pem: string;
  /** The system's roots and ours, as PEM, for settings that replace a tool's trusted roots. */
  readonly bundle: string;
  /** Our root alone, as DER, for phones. */
  readonly der: string;
}

/** Readable for everyone: a certificate is public, and a container may read the file as another user. */
const READABLE = 0o644;

export function exportedFiles(folder: string): ExportedFiles {
  return Object.freeze({
    pem: join(folder, "weir-ca.pem"),
    bundle: join(folder, "weir-ca-bundle.pem"),
    der: join(folder, "weir-ca.cer"),
  });
}

/**
 * The system's roots as PEM, or Node's roots if the system has none. Removes duplicates and Weir's own root, which
 * SSL_CERT_FILE or NODE_EXTRA_CA_CERTS adds in a terminal set up for Weir.
 */
export function publicRoots(): readonly string[] {
  const system = othersRoots("system");
  return system.length > 0 ? system : othersRoots("default");
}

function othersRoots(kind: "system" | "default"): readonly string[] {
  return [...new Set(getCACertificates(kind))].filter((pem) => !isWeirs(pem));
}

function isWeirs(pem: string): boolean {
  return derOf(pem).includes(ROOT_NAME);
}

/** Does not parse the certificate, since a store may contain some that OpenSSL rejects. */
function derOf(pem: string): Buffer {
  return Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ""), "base64");
}

/**
 * Whether the root is among the system's. Pass the result of `tls.getCACertificates("system")` from a fresh process,
 * since Node reads the store only once per process. Weir reads the store and never writes to it.
 */
export function isTrusted({ raw }: X509Certificate, system: readonly string[]): boolean {
  return system.some((pem) => derOf(pem).equals(raw));
}

/**
 * Writes the three files into an existing folder. The two files with our root alone are rewritten only if they differ:
 * their modification time shows when the certificate last changed.
 */
export function exportRoot(root: Pick<Root, "certificate">, folder: string, roots: readonly string[]): Problem | null {
  const files = exportedFiles(folder);
  const own = pemOf(root.certificate.raw);
  const bundle = [...roots.map((pem) => `${pem.trimEnd()}\n`), own].join("");
  return (
    writeIfNew(files.pem, Buffer.from(own, "latin1")) ??
    writePrivateFile(files.bundle, Buffer.from(bundle, "utf8"), READABLE) ??
    writeIfNew(files.der, root.certificate.raw)
  );
}

/**
 * Whether the exported files need no rewriting: they contain this certificate, and the bundle is less than a day old. A
 * rewrite reads the system's roots, which takes 25 ms and, until the process ends, 6 MB of memory.
 */
export function isExported(certificate: X509Certificate, folder: string, now: Date): boolean {
  if (exportProblem(certificate, folder) !== null) return false;
  const made = statSync(exportedFiles(folder).bundle, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Math.abs(now.getTime() - made) < DAY;
}

/** Why the files in `folder` are not those of this certificate, as a sentence; `null` if they are. */
export function exportProblem(certificate: X509Certificate, folder: string): Problem | null {
  const { pem, bundle, der } = exportedFiles(folder);
  const own = pemOf(certificate.raw);
  return (
    problemOf(pem, (bytes) => bytes.toString("latin1") === own) ??
    problemOf(bundle, (bytes) => bytes.includes(own)) ??
    problemOf(der, (bytes) => bytes.equals(certificate.raw))
  );
}

/** When the certificate was last written to `folder`, in epoch milliseconds; `null` if the file is missing. */
export function exportTime(folder: string): number | null {
  return statSync(exportedFiles(folder).pem, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

export function factsOf(certificate: X509Certificate): CertificateFacts {
  return Object.freeze({
    subject: certificate.subject,
    issuer: certificate.issuer,
    names: certificate.subjectAltName ?? "",
    validFrom: certificate.validFrom,
    validTo: certificate.validTo,
    fingerprint: certificate.fingerprint256,
  });
}

function problemOf(path: string, isOurs: (bytes: Buffer) => boolean): Problem | null {
  try {
    return isOurs(readFileSync(path)) ? null : `${path} holds another certificate.`;
  } catch (error) {
    return codeOf(error) === "ENOENT" ? `${path} does not exist.` : `${path} cannot be read: ${errorText(error)}.`;
  }
}

function writeIfNew(path: string, bytes: Buffer): Problem | null {
  try {
    if (readFileSync(path).equals(bytes)) return null;
  } catch {
    // The file is missing or cannot be read. If it cannot be written either, the write below returns the problem.
  }
  return writePrivateFile(path, bytes, READABLE);
}
