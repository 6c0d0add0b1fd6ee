import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import * as assert from "uvu/assert";
import { upstreamRoots } from "../../../extensions/proxy/certificates/upstream-roots.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { describe } from "../../support/describe.ts";
import { problemOf } from "../../support/problem-of.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { madeRoot } from "./made-root.ts";

describe("trusted roots for servers", (test) => {
  test("given the user's files, adds their roots to Node's and returns the same array each time", () =>
    withFolder(async (folder) => {
      const file = join(folder, "own.pem");
      const { chain } = madeRoot(folder);
      await writeFile(file, `a comment\n${chain}`);
      const roots = unwrap(upstreamRoots([file]));
      assert.is(roots(), roots());
      assert.ok(roots().includes(chain.trim()));
      assert.ok(roots().includes(rootCertificates[0] ?? ""));
      assert.not(unwrap(upstreamRoots([]))().includes(chain.trim()));

      const another = join(folder, "another.pem");
      await writeFile(another, rootCertificates[1] ?? "");
      const both = unwrap(upstreamRoots([file, another]))();
      for (const pem of [chain.trim(), rootCertificates[1] ?? ""]) assert.ok(both.includes(pem));
    }));

  test("given a file that cannot be used, returns a sentence at once", () =>
    withFolder(async (folder) => {
      const file = join(folder, "none.pem");
      assert.match(problemOf(upstreamRoots([file])), /none\.pem cannot be used: no such file/);
      assert.match(problemOf(upstreamRoots([folder])), new RegExp(`^${folder} cannot be used: .*EISDIR`));
      await writeFile(file, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
      assert.match(
        problemOf(upstreamRoots([file])),
        /none\.pem cannot be used: /,
        "Node would pass over it in silence",
      );
      await writeFile(file, "no certificate");
      assert.is(problemOf(upstreamRoots([file])), `${file} contains no certificate in PEM form.`);
    }));
});
