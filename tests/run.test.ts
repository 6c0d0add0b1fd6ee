import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { describe } from "./support/describe.ts";
import { withFolder } from "./support/temporary-folder.ts";

const RUN = join(import.meta.dirname, "run.ts");

function lastLine(env: Readonly<Record<string, string>>, part: string, run = RUN): string {
  const options = { env: { ...process.env, ...env }, encoding: "utf8" } as const;
  const { stdout } = spawnSync(process.execPath, [run, part], options);
  return stdout.trimEnd().split("\n").at(-1) ?? "";
}

describe("npm test", (test) => {
  test("given any colour setting, counts the tests that ran", () => {
    const settings = ["FORCE_COLOR", "CLICOLOR_FORCE", "NO_COLOR"].flatMap((name) => [
      { [name]: "1" },
      { [name]: "0", TERM: "dumb" },
    ]);
    for (const env of settings)
      assert.match(
        lastLine(env, "engine/stats/percentile"),
        /^[1-9]\d* passed, 0 failed, 0 skipped$/,
        JSON.stringify(env),
      );
  });

  test("given a part that no test has, fails", () => {
    assert.is(lastLine({}, "engine/stats/no-such-test"), "0 passed, 1 failed, 0 skipped");
  });

  test("given an install without the development packages, says what to run", () =>
    withFolder((folder) => {
      const copy = join(folder, "tests", "run.ts");
      cpSync(RUN, copy);
      assert.match(lastLine({}, "engine", copy), /npm install --include=dev/);
    }));
});
