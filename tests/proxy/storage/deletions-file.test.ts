import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { DELETIONS_FILE, readDeletions, writeDeletions } from "../../../extensions/proxy/storage/deletions-file.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { idOf } from "./story.ts";

describe("the list of deleted exchanges", (test) => {
  test("given any ids, reads what was written, and none without a file", () =>
    withFolder((folder) => {
      assert.is(readDeletions(folder).size, 0);
      fc.assert(
        fc.property(fc.uniqueArray(fc.nat()), (numbers) => {
          const ids = new Set(numbers.map(idOf));
          assert.is(writeDeletions(folder, ids), null);
          assert.equal(readDeletions(folder), ids);
          assert.is(existsSync(join(folder, DELETIONS_FILE)), ids.size > 0);
        }),
        { numRuns: rounds(20) },
      );
    }));

  test("given a file that is no list of ids, reads none of it", () =>
    withFolder((folder) => {
      for (const text of ["{", "{}", '["1", null, 1.5]']) {
        writeFileSync(join(folder, DELETIONS_FILE), text);
        assert.is(readDeletions(folder).size, 0);
      }
    }));
});
