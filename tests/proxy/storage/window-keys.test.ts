import { readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { WindowKeys } from "../../../extensions/proxy/storage/window-keys.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const FILE = "window-keys.json";
const KEY = { id: "id", secret: "secret", origin: "http://127.0.0.1:8687", isLasting: true, usedAt: 5 };

describe("stored window keys", (test) => {
  test("given any damaged file, sets it aside, says so, and works on", () =>
    fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 40 }), (text) =>
        withFolder((folder) => {
          writeFileSync(join(folder, FILE), text);
          const problems: (string | null)[] = [];
          const keys = new WindowKeys(folder, (problem) => problems.push(problem));
          assert.match(problems[0] ?? "", /cannot be read.*It is kept as/);
          assert.is(keys.find("id", KEY.origin, 6), null);
          keys.put(KEY);
          assert.is(problems.at(-1), null);
          assert.equal(new WindowKeys(folder, () => {}).find("id", KEY.origin, 6), KEY);
          assert.is(readdirSync(folder).length, 2);
        }),
      ),
      { numRuns: rounds(10) },
    ));

  test("given a symbolic link in the file's place, refuses it and keeps the key in memory", () => {
    if (process.platform === "win32") return;
    return withFolder((folder) => {
      symlinkSync("/dev/null", join(folder, FILE));
      const problems: (string | null)[] = [];
      const keys = new WindowKeys(folder, (problem) => problems.push(problem));
      keys.put(KEY);
      assert.is(problems.length, 2);
      assert.match(problems[1] ?? "", /is a symbolic link.*Pages left open do not reconnect/);
      assert.equal(keys.find("id", KEY.origin, 6), KEY);
    });
  });
});
