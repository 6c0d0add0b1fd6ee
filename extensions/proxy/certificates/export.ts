import type { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { getCACertificates } from "node:tls";
import type { CertificateFacts } from "../../../src/engine/capture/event.ts";
import { codeOf, wordsOf, writePrivateFile } from "../storage/private-file.ts";
import { ROOT_NAME, type Root } from "./root.ts";
import { DAY, pemOf } from "./x509.ts";

/** Where the certificate lies for others to load: never with its key. Absolute if the folder was. */
export interface ExportedFiles {
  /** The root alone, PEM: for settings that add to what a tool trusts. */
  readonly pem: string;
  /** System roots and ours, PEM: for settings that replace what a tool trusts. */
  readonly bundle: string;
  /** The root alone, DER: for phones. */
  readonly der: string;
}

/** A certificate is public, and a container that mounts the file may run as another user. */
const READABLE = 0o644;

export function exportedFiles(folder: string): ExportedFiles {
  return Object.freeze({
    pem: join(folder, "weir-ca.pem"),
    bundle: join(folder, "weir-ca-bundle.pem"),
    der: join(folder, "weir-ca.cer"),
  });
}

/**
 * What Node can read of the system's roots, else those it brings along; PEM each, once each. Read once per process. A terminal
 * that was set up for Weir names our own bundle as the system's (SSL_CERT_FILE): roots of ours are left out.
 */
export function publicRoots(): readonly string[] {
  const system = [...new Set(getCACertificates("system"))].filter((pem) => !isWeirs(pem));
  return system.length > 0 ? system : getCACertificates("default");
}

/** Without parsing: a store may hold certificates that OpenSSL would not read. */
function isWeirs(pem: string): boolean {
  return Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ""), "base64").includes(ROOT_NAME);
}

/**
 * Writes the three files into a folder that exists. Those of the root alone are left as they are where they say the same
 * already, so that their time tells when the certificate last changed. `null` is success, else a sentence.
 */
export function exportRoot(root: Pick<Root, "certificate">, folder: string, roots: readonly string[]): string | null {
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
 * Whether a start leaves the exported files as they are: they are this certificate's, and the bundle is of today. To read
 * the system's roots for it anew takes 25 ms, and 6 MB for as long as the process lives.
 */
export function isExported(certificate: X509Certificate, folder: string, now: Date): boolean {
  if (exportProblem(certificate, folder) !== null) return false;
  const made = statSync(exportedFiles(folder).bundle, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Math.abs(now.getTime() - made) < DAY;
}

/** Why the files in `folder` are not this certificate's, as a sentence; `null` if they are. */
export function exportProblem(certificate: X509Certificate, folder: string): string | null {
  const { pem, bundle, der } = exportedFiles(folder);
  const own = pemOf(certificate.raw);
  return (
    problemOf(pem, (bytes) => bytes.toString("latin1") === own) ??
    problemOf(bundle, (bytes) => bytes.includes(own)) ??
    problemOf(der, (bytes) => bytes.equals(certificate.raw))
  );
}

/** When the certificate was last written into `folder`, in epoch milliseconds; `null` if it is not there. */
export function exportTime(folder: string): number | null {
  return statSync(exportedFiles(folder).pem, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

/** What a person may want to compare. */
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

function problemOf(path: string, isOurs: (bytes: Buffer) => boolean): string | null {
  try {
    return isOurs(readFileSync(path)) ? null : `${path} holds another certificate.`;
  } catch (error) {
    return codeOf(error) === "ENOENT" ? `${path} is not there.` : `${path} cannot be read: ${wordsOf(error)}.`;
  }
}

function writeIfNew(path: string, bytes: Buffer): string | null {
  try {
    if (readFileSync(path).equals(bytes)) return null;
  } catch {
    // Not there, or not readable: writing says what is wrong, if anything is.
  }
  return writePrivateFile(path, bytes, READABLE);
}
