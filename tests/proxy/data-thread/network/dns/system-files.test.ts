import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { lookupPlan } from "../../../../../extensions/proxy/data-thread/network/dns/lookup-plan.ts";
import { SystemFiles } from "../../../../../extensions/proxy/data-thread/network/dns/system-files.ts";
import { describe } from "../../../../support/describe.ts";
import { rounds } from "../../../../support/rounds.ts";
import { withFolder } from "../../../../support/temporary-folder.ts";

describe("system's resolver files", (test) => {
  test("given files that are written, replaced and removed, reads what they hold now, in lower case", () =>
    withFolder((folder) => {
      const files = new SystemFiles(folder);
      const path = join(folder, "hosts");
      const step = fc.record({
        how: fc.constantFrom("write", "replace", "remove"),
        text: fc.string({ maxLength: 40 }),
      });
      return fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
          rmSync(path, { force: true });
          await nextTurn();
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
            await nextTurn();
            assert.is(files.text("hosts"), how === "remove" ? null : written.toLowerCase());
          }
        }),
      );
    }));

  test("given any number of names in one turn, looks at each file once, present or not", () =>
    withFolder((folder) =>
      fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 300 }), fc.boolean(), async (names, isPresent) => {
          if (isPresent) writeFileSync(join(folder, "hosts"), "127.0.0.1 here\n");
          else rmSync(join(folder, "hosts"), { force: true });
          let stats = 0;
          let resolved = 0;
          const files = new SystemFiles(folder, {
            statSync: (path) => {
              stats += 1;
              return statSync(path);
            },
            readFileSync,
            existsSync: (path) => {
              resolved += 1;
              return existsSync(path);
            },
          });
          for (const turn of [1, 2, 3]) {
            for (let name = 0; name < names; name += 1) {
              lookupPlan(`name${name}.example`, files);
              files.hasResolved();
            }
            // nsswitch.conf, gai.conf, resolv.conf and hosts.
            assert.is(stats, 4 * turn);
            assert.is(resolved, turn);
            await nextTurn();
          }
        }),
        { numRuns: rounds(20) },
      ),
    ));

  test("given a name of this computer, has it in lower case", () =>
    assert.match(new SystemFiles("/etc").hostName(), /^[^A-Z]+$/));
});
