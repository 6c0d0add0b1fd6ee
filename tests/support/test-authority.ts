import type { TlsOptions } from "node:tls";
import { LeafMint } from "../../extensions/proxy/certificates/leaf.ts";
import type { Root } from "../../extensions/proxy/certificates/root.ts";
import { renewRoot } from "../../extensions/proxy/certificates/root-file.ts";
import { withFolder } from "./temporary-folder.ts";

/** A certificate authority of a test's own. */
export interface TestAuthority {
  readonly root: Root;
  readonly mint: LeafMint;
  readonly pem: string;
}

/** `madeAt` sets when the root begins, `now` when its leaves do. */
export async function testAuthority(madeAt: Date = new Date(), now?: () => number): Promise<TestAuthority> {
  let root: Root | null = null;
  await withFolder((folder) => {
    const result = renewRoot(folder, "test", madeAt);
    if (result.kind === "root") root = result.root;
  });
  if (root === null) throw new Error("no root");
  const made: Root = root;
  return { root: made, mint: new LeafMint(made, now === undefined ? {} : { now }), pem: made.chain };
}

/** What a TLS server needs to answer as `name`, or as whatever name it is asked for. */
export function servedBy({ mint }: TestAuthority, name: string | null = null): TlsOptions {
  return { SNICallback: (asked, done) => done(null, mint.contextFor(name ?? asked)) };
}
