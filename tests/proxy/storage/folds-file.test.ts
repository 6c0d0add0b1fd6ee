import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { readFolds, writeFolds } from "../../../extensions/proxy/storage/folds-file.ts";
import { anyUrl } from "../../support/any-character.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";
import { withFolder } from "../../support/temporary-folder.ts";

describe("learned folds file", (test) => {
  test("given written folds, reads them again; given no file, reads none", () =>
    withFolder((folder) => {
      assert.equal(readFolds(folder), []);
      const fold = fc.record(
        { origin: anyUrl, parent: fc.string(), kept: fc.array(fc.string()) },
        { noNullPrototype: true },
      );
      fc.assert(
        fc.property(fc.array(fold), (folds) => {
          assert.is(writeFolds(folder, folds), null);
          assert.equal(readFolds(folder), folds);
        }),
        { numRuns: rounds(20) },
      );
    }));

  test("given a damaged file, sets it aside and begins anew", () =>
    withFolder((folder) => {
      for (const text of ["{", '{"version":2,"folds":[]}', '{"version":1,"folds":[{"origin":1}]}']) {
        writeFileSync(join(folder, "paths.json"), text);
        assert.equal(readFolds(folder), []);
      }
      assert.is(readdirSync(folder).filter((name) => name.includes("unusable")).length, 3);
    }));
});
