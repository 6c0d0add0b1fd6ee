import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { readWindowBounds, writeWindowBounds } from "../../../extensions/proxy/storage/window-file.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const whole = fc.integer({ min: -10_000, max: 10_000 });
const place = fc.record(
  { x: whole, y: whole, width: whole, height: whole, isMaximized: fc.boolean() },
  { noNullPrototype: true },
);

describe("window placement file", (test) => {
  test("given any place, reads what was written", () =>
    withFolder(async (folder) => {
      assert.is(readWindowBounds(folder), null);
      fc.assert(
        fc.property(place, (one) => {
          assert.is(writeWindowBounds(folder, one), null);
          assert.equal(readWindowBounds(folder), one);
        }),
        { numRuns: rounds(10) },
      );
    }));

  test("given a damaged or foreign file, knows no place", () =>
    withFolder(async (folder) => {
      writeWindowBounds(folder, { x: 1, y: 2, width: 3, height: 4, isMaximized: false });
      const path = join(folder, "window.json");
      const text = readFileSync(path, "utf8");
      for (const wrong of ["", "{", text.replace('"version":1', '"version":2'), text.replace('"x":1', '"x":"1"')]) {
        writeFileSync(path, wrong);
        assert.is(readWindowBounds(folder), null);
      }
    }));
});
