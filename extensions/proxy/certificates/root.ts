import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { failure, type Problem, type Result, success } from "../../../src/engine/model/result.ts";
import { errorText } from "../storage/private-file.ts";
import {
  certificateOf,
  commonName,
  DAY,
  keyIdentifier,
  LONGEST_COMMON_NAME,
  pemOf,
  publicKeyInfo,
  rootExtensions,
} from "./x509.ts";

/**
 * The certificate that clients must trust, and the key that signs leaves. The key is an object of node:crypto, so
 * printing, logging or serializing it reveals nothing (docs/security.md R3).
 */
export interface Root {
  readonly certificate: X509Certificate;
  readonly key: KeyObject;
  /** PEM of the certificates sent after a leaf: this root, then the other certificates in the user's file, if any. */
  readonly chain: string;
}

/** A root as it was found or made. `notice`: a sentence for the user, for example that a root was replaced. */
export interface OpenedRoot {
  readonly root: Root;
  readonly notice: string | null;
}

/** The name of every root that Weir makes begins with this. */
export const ROOT_NAME = "Weir Root CA ";
const YEARS = 5;
/** The fewest bits of an RSA key, as OpenSSL demands at its default security level. */
const LEAST_RSA_BITS = 2048;

/** Creates an EC P-256 root in memory. `machine`: a part of its name. */
export function newRoot(machine: string, now: Date): Root {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  // The random id makes the name differ from those of older roots, which clients may still trust.
  const name = `${ROOT_NAME}${randomBytes(4).toString("hex")} ${machine.replaceAll(/[^\x20-\x7e]/g, "?")}`;
  const subject = commonName(name.slice(0, LONGEST_COMMON_NAME).trim());
  // Back-dated, since clients' clocks may be behind.
  const validFrom = new Date(now.getTime() - DAY);
  const validTo = new Date(now);
  validTo.setUTCFullYear(now.getUTCFullYear() + YEARS);
  const info = publicKeyInfo(publicKey);
  const extensions = rootExtensions(keyIdentifier(info));
  const raw = certificateOf({ issuer: subject, subject, validFrom, validTo, publicKey: info, extensions }, privateKey);
  return Object.freeze({ certificate: new X509Certificate(raw), key: privateKey, chain: pemOf(raw) });
}

/**
 * Loads the user's own root (RSA or EC) from the PEM files of `--ca-cert` and `--ca-key`. The files are never copied.
 */
export function loadRoot(certificateFile: string, keyFile: string, now: Date): Result<OpenedRoot> {
  let root: Result<Root>;
  let notice: string | null = null;
  try {
    root = rootOf(readFileSync(certificateFile, "utf8"), readFileSync(keyFile, "utf8"), now);
    if (process.platform !== "win32" && (statSync(keyFile).mode & 0o077) !== 0) {
      notice = `Other users of this computer can read the private key ${keyFile}. They could use the key to impersonate any site.`;
    }
  } catch (error) {
    root = failure(errorText(error));
  }
  return root.ok
    ? success({ root: root.value, notice })
    : failure(`The root certificate ${certificateFile} cannot be used: ${root.problem}.`);
}

/** Parses certificate and key as a root. A problem never quotes the key. */
export function rootOf(certificates: string, keyText: string, now: Date, mayBeEarly = false): Result<Root> {
  const chain = certificates.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const certificate = parsed(() => new X509Certificate(chain[0] ?? ""));
  if (certificate === null) return failure("it contains no certificate in PEM form");
  if (/ENCRYPTED/.test(keyText)) return failure("its key is encrypted; give the key without a pass phrase");
  const key = parsed(() => createPrivateKey(keyText));
  if (key === null) return failure("its file contains no private key in PEM form");
  const problem = problemOf(certificate, key, now, mayBeEarly);
  if (problem !== null) return failure(problem);
  return success(Object.freeze({ certificate, key, chain: `${chain.join("\n")}\n` }));
}

function problemOf(certificate: X509Certificate, key: KeyObject, now: Date, mayBeEarly: boolean): Problem | null {
  if (!certificate.checkPrivateKey(key)) return "the key belongs to another certificate";
  // `ca` is true if basicConstraints says CA:TRUE and keyUsage, if present, includes keyCertSign.
  if (!certificate.ca) return "it is not a certificate authority that may sign certificates";
  if (new Date(certificate.validTo) <= now) return `it expired on ${dateOf(certificate.validTo)}`;
  if (!mayBeEarly && new Date(certificate.validFrom) > now)
    return `it is valid only from ${dateOf(certificate.validFrom)}`;
  if (key.asymmetricKeyType === "ec") return null;
  if (key.asymmetricKeyType !== "rsa") return `its key is ${key.asymmetricKeyType}; only RSA and EC keys can be used`;
  const size = key.asymmetricKeyDetails?.modulusLength ?? 0;
  return size < LEAST_RSA_BITS ? `its key has ${size} bits; at least ${LEAST_RSA_BITS} are needed` : null;
}

/** Converts a certificate's date from OpenSSL's form to a form such as "2026-11-20 12:00 UTC". */
export function dateOf(said: string): string {
  return `${new Date(said).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function parsed<Value>(parse: () => Value): Value | null {
  try {
    return parse();
  } catch {
    return null;
  }
}
