import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import * as assert from "uvu/assert";
import { upstreamRoots } from "../../../extensions/proxy/certificates/upstream-roots.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { madeRoot } from "./made-root.ts";

/** Returns the roots; throws if the result is a sentence. */
function rootsOf(...files: readonly string[]): () => readonly string[] {
  const roots = upstreamRoots(files);
  if (typeof roots === "string") throw new Error(roots);
  return roots;
}

describe("roots that servers are verified against", (test) => {
  test("hold Node's own and the user's, and are the same array each time", () =>
    withFolder(async (folder) => {
      const file = join(folder, "own.pem");
      const { chain } = madeRoot(folder);
      await writeFile(file, `a comment\n${chain}`);
      const roots = rootsOf(file);
      assert.is(roots(), roots());
      assert.ok(roots().includes(chain.trim()));
      assert.ok(roots().includes(rootCertificates[0] ?? ""));
      assert.not(rootsOf()().includes(chain.trim()));

      const another = join(folder, "another.pem");
      await writeFile(another, rootCertificates[1] ?? "");
      const both = rootsOf(file, another)();
      for (const pem of [chain.trim(), rootCertificates[1] ?? ""]) assert.ok(both.includes(pem));
    }));

  test("a file that cannot be used is a sentence at once", () =>
    withFolder(async (folder) => {
      const file = join(folder, "none.pem");
      assert.match(String(upstreamRoots([file])), /none\.pem cannot be used: no such file/);
      assert.match(String(upstreamRoots([folder])), new RegExp(`^${folder} cannot be used: .*EISDIR`));
      await writeFile(file, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
      assert.match(String(upstreamRoots([file])), /none\.pem cannot be used: /, "Node would pass over it in silence");
      await writeFile(file, "no certificate");
      assert.is(upstreamRoots([file]), `${file} contains no certificate in PEM form.`);
    }));
});
