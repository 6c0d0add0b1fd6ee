import { createHash, X509Certificate } from "node:crypto";
import type { TlsOptions } from "node:tls";
import { LeafCertificates } from "../../extensions/proxy/certificates/leaf-certificates.ts";
import { newRoot, type Root } from "../../extensions/proxy/certificates/root.ts";

/** A certificate authority for tests. */
export interface TestAuthority {
  readonly root: Root;
  readonly leaves: LeafCertificates;
  readonly pem: string;
}

/** `madeAt`: when the root becomes valid. `now`: returns when a leaf becomes valid. */
export function testAuthority(madeAt: Date = new Date(), now?: () => number): TestAuthority {
  const root = newRoot("test", madeAt);
  return { root, leaves: new LeafCertificates(root, now === undefined ? {} : { now }), pem: root.chain };
}

/** The TLS options of a server for `name`; `null`: for any name that is requested. */
export function servedBy({ leaves }: TestAuthority, name: string | null = null): TlsOptions {
  return { SNICallback: (asked, done) => done(null, leaves.contextFor(name ?? asked)) };
}

/** The key hash by which Chromium is told to accept a key: SHA-256 of its SubjectPublicKeyInfo, in base64. */
export function keyHashOf(pem: string): string {
  const { publicKey } = new X509Certificate(pem);
  return createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("base64");
}
