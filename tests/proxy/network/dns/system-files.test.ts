import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { SystemFiles } from "../../../../extensions/proxy/network/dns/system-files.ts";
import { describe } from "../../../support/describe.ts";
import { withFolder } from "../../../support/temporary-folder.ts";

describe("system files", (test) => {
  test("given files that are written, replaced and removed, reads what they hold now, in lower case", () =>
    withFolder((folder) => {
      const files = new SystemFiles(folder);
      const path = join(folder, "hosts");
      const step = fc.record({
        how: fc.constantFrom("write", "replace", "remove"),
        text: fc.string({ maxLength: 40 }),
      });
      fc.assert(
        fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
          rmSync(path, { force: true });
          assert.is(files.text("hosts"), null);
          for (const [index, { how, text }] of steps.entries()) {
            // A change within the clock's step shows only by its length or its inode.
            const written = `${"#".repeat(index)}${text}`.replaceAll(/[^\x20-\x7e]/g, "");
            if (how === "remove") rmSync(path, { force: true });
            else if (how === "write") writeFileSync(path, written);
            else {
              writeFileSync(`${path}.new`, written);
              renameSync(`${path}.new`, path);
            }
            assert.is(files.text("hosts"), how === "remove" ? null : written.toLowerCase());
          }
        }),
      );
    }));

  test("given a name of this computer, has it in lower case", () =>
    assert.match(new SystemFiles("/etc").hostName(), /^[^A-Z]+$/));
});
