import { createHash, X509Certificate } from "node:crypto";
import type { TlsOptions } from "node:tls";
import { LeafMint } from "../../extensions/proxy/certificates/leaf.ts";
import type { Root } from "../../extensions/proxy/certificates/root.ts";
import { renewRoot } from "../../extensions/proxy/certificates/root-file.ts";
import { withFolder } from "./temporary-folder.ts";

/** A certificate authority for tests. */
export interface TestAuthority {
  readonly root: Root;
  readonly mint: LeafMint;
  readonly pem: string;
}

/** `madeAt`: when the root becomes valid. `now`: returns when a leaf becomes valid. */
export async function testAuthority(madeAt: Date = new Date(), now?: () => number): Promise<TestAuthority> {
  let root: Root | null = null;
  await withFolder((folder) => {
    const result = renewRoot(folder, "test", madeAt);
    if (result.ok) root = result.value.root;
  });
  if (root === null) throw new Error("no root");
  const made: Root = root;
  return { root: made, mint: new LeafMint(made, now === undefined ? {} : { now }), pem: made.chain };
}

/** The TLS options of a server for `name`; `null`: for any name that is requested. */
export function servedBy({ mint }: TestAuthority, name: string | null = null): TlsOptions {
  return { SNICallback: (asked, done) => done(null, mint.contextFor(name ?? asked)) };
}

/** The key hash by which Chromium is told to accept a key: SHA-256 of its SubjectPublicKeyInfo, in base64. */
export function keyHashOf(pem: string): string {
  const { publicKey } = new X509Certificate(pem);
  return createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("base64");
}
