import { createHash, type KeyObject, randomBytes, sign, type X509Certificate } from "node:crypto";
import {
  bits,
  bytesOf,
  type Der,
  decoded,
  dottedOf,
  elementsOf,
  encoded,
  explicit,
  implicit,
  integer,
  nothing,
  objectIdentifier,
  octets,
  sequence,
  set,
  time,
  utf8,
  yes,
} from "./der.ts";

/*
 * The X.509 structures of RFC 5280 that Weir writes and reads. root.ts and leaf-certificates.ts choose the
 * contents; node:crypto handles keys and signatures and parses certificates.
 */

const OID = {
  commonName: "2.5.4.3",
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  serverAuth: "1.3.6.1.5.5.7.3.1",
  sha256WithRsa: "1.2.840.113549.1.1.11",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
};

/** Bits in the first byte of KeyUsage (RFC 5280, 4.2.1.3). */
const DIGITAL_SIGNATURE = 0x80;
const KEY_CERT_SIGN = 0x04;
const CRL_SIGN = 0x02;

/** The longest common name (RFC 5280, ub-common-name). */
export const LONGEST_COMMON_NAME = 64;
export const DAY = 86_400_000;

export interface Content {
  readonly issuer: Der;
  readonly subject: Der;
  readonly validFrom: Date;
  readonly validTo: Date;
  /** The DER of a SubjectPublicKeyInfo. */
  readonly publicKey: Der;
  readonly extensions: readonly Der[];
}

/** The DER of a version 3 certificate that `key` (RSA or EC) signs with SHA-256. */
export function certificateOf(content: Content, key: KeyObject): Buffer {
  const algorithm =
    key.asymmetricKeyType === "rsa"
      ? sequence(objectIdentifier(OID.sha256WithRsa), nothing())
      : sequence(objectIdentifier(OID.ecdsaWithSha256));
  const body = sequence(
    explicit(0, integer(Uint8Array.of(2))),
    integer(serialNumber()),
    algorithm,
    content.issuer,
    sequence(time(content.validFrom), time(content.validTo)),
    content.subject,
    content.publicKey,
    explicit(3, sequence(...content.extensions)),
  );
  return encoded(sequence(body, algorithm, bits(sign("sha256", encoded(body), key))));
}

export function pemOf(certificate: Buffer): string {
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

/**
 * A distinguished name that consists of a common name. It is never empty, because an empty subject requires a critical
 * SAN (RFC 5280), which some verifiers refuse.
 */
export function commonName(text: string): Der {
  return sequence(set(sequence(objectIdentifier(OID.commonName), utf8(text))));
}

export function publicKeyInfo(key: KeyObject): Der {
  return decoded(key.export({ type: "spki", format: "der" }));
}

/**
 * The SHA-1 of the public key's bits (RFC 5280, 4.2.1.2, method 1). It identifies a key and does not secure anything.
 */
export function keyIdentifier(publicKey: Der): Buffer {
  const [, keyBits] = elementsOf(publicKey);
  if (keyBits === undefined) throw new Error("a public key without its bits");
  return createHash("sha1").update(bytesOf(keyBits).subarray(1)).digest();
}

/** The extensions of a root that may sign only leaves. */
export function rootExtensions(identifier: Buffer): Der[] {
  return [
    extension(OID.basicConstraints, true, sequence(yes(), integer(Uint8Array.of(0)))),
    extension(OID.keyUsage, true, bits(Uint8Array.of(KEY_CERT_SIGN | CRL_SIGN), 1)),
    extension(OID.subjectKeyIdentifier, false, octets(identifier)),
  ];
}

/** All extensions of a leaf except its SAN. */
export function leafExtensions(identifier: Buffer, rootIdentifier: Buffer): Der[] {
  return [
    extension(OID.basicConstraints, true, sequence()),
    extension(OID.keyUsage, true, bits(Uint8Array.of(DIGITAL_SIGNATURE), 7)),
    extension(OID.extendedKeyUsage, false, sequence(objectIdentifier(OID.serverAuth))),
    extension(OID.subjectKeyIdentifier, false, octets(identifier)),
    extension(OID.authorityKeyIdentifier, false, sequence(implicit(0, rootIdentifier))),
  ];
}

/** A SAN extension with one name: a host name (ASCII), or the 4 or 16 bytes of an address (RFC 5280, 4.2.1.6). */
export function subjectAltName(name: string | Uint8Array): Der {
  const one = typeof name === "string" ? implicit(2, Buffer.from(name, "latin1")) : implicit(7, name);
  return extension(OID.subjectAltName, false, sequence(one));
}

export function subjectOf(certificate: X509Certificate): Der {
  // The fields are version?, serialNumber, signature, issuer, validity, subject. Only certificates of version 1 lack
  // the version.
  const parts = contentOf(certificate);
  const subject = parts[parts[0]?.tagClass === 0 ? 4 : 5];
  if (subject === undefined) throw new Error("a certificate without a subject");
  return subject;
}

/** The subject key identifier; `null` if there is none. */
export function keyIdentifierOf(certificate: X509Certificate): Buffer | null {
  const value = extensionOf(certificate, OID.subjectKeyIdentifier);
  return value === null ? null : bytesOf(value);
}

function extensionOf(certificate: X509Certificate, id: string): Der | null {
  // The last part, [3] EXPLICIT, contains the sequence of all extensions: { id, critical?, octets }.
  const envelope = contentOf(certificate).at(-1);
  if (envelope === undefined || envelope.tagClass === 0 || envelope.type !== 3) return null;
  for (const one of elementsOf(envelope).flatMap(elementsOf)) {
    const [name] = elementsOf(one);
    const value = elementsOf(one).at(-1);
    if (name !== undefined && value !== undefined && dottedOf(name) === id) return decoded(bytesOf(value));
  }
  return null;
}

function contentOf(certificate: X509Certificate): readonly Der[] {
  const [content] = elementsOf(decoded(certificate.raw));
  return content === undefined ? [] : elementsOf(content);
}

function extension(id: string, critical: boolean, value: Der): Der {
  const content = octets(encoded(value));
  return critical ? sequence(objectIdentifier(id), yes(), content) : sequence(objectIdentifier(id), content);
}

/**
 * A random positive number of exactly 16 bytes. The top bit is 0, for the sign; the next bit is 1, so that DER drops no
 * leading zero byte.
 */
function serialNumber(): Buffer {
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  return serial;
}
