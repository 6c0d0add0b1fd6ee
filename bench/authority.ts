import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newRoot } from "../extensions/proxy/certificates/root.ts";
import {
  certificateOf,
  commonName,
  keyIdentifier,
  keyIdentifierOf,
  leafExtensions,
  pemOf,
  publicKeyInfo,
  subjectAltName,
  subjectOf,
} from "../extensions/proxy/certificates/x509.ts";

/** RFC 2606 reserves `.test`, so nobody owns this domain. All host names in it lead to the origin. */
const ZONE = "bench.test";

/** The origin's host names: with TLS, and without TLS. */
export const SECURE_HOST = `origin.${ZONE}`;
export const PLAIN_HOST = `plain.${ZONE}`;

/** Returns a host name of its own for each number. */
export function freshHost(number: number): string {
  return `host-${number}.${ZONE}`;
}

/** Paths of PEM files: the root, the origin's certificate for all names of the zone, and the certificate's key. */
export interface Authority {
  readonly root: string;
  readonly leaf: string;
  readonly key: string;
}

/** Makes a root and the origin's certificate, and writes both, and the certificate's key, into `folder`. */
export function makeAuthority(folder: string): Authority {
  const now = new Date();
  const root = newRoot("bench", now);
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const info = publicKeyInfo(publicKey);
  const rootIdentifier = keyIdentifierOf(root.certificate) ?? keyIdentifier(publicKeyInfo(root.certificate.publicKey));
  const leaf = certificateOf(
    {
      issuer: subjectOf(root.certificate),
      subject: commonName(ZONE),
      validFrom: new Date(root.certificate.validFrom),
      validTo: new Date(root.certificate.validTo),
      publicKey: info,
      extensions: [...leafExtensions(keyIdentifier(info), rootIdentifier), subjectAltName(`*.${ZONE}`)],
    },
    root.key,
  );
  const files = { root: join(folder, "root.pem"), leaf: join(folder, "leaf.pem"), key: join(folder, "leaf-key.pem") };
  writeFileSync(files.root, root.chain);
  writeFileSync(files.leaf, pemOf(leaf) + root.chain);
  writeFileSync(files.key, privateKey.export({ type: "pkcs8", format: "pem" }).toString(), { mode: 0o600 });
  return files;
}
