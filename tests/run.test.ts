import { spawnSync } from "node:child_process";
import { cpSync, symlinkSync, writeFileSync } from "node:fs";
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

/** What a run prints of files `a`, `b`, ... with one test each, whose bodies these are. */
async function outputOf(bodies: readonly string[]): Promise<string> {
  let output = "";
  await withFolder((folder) => {
    for (const path of [
      "run.ts",
      "support/test-files.ts",
      "support/shard.ts",
      "support/drawn-input.ts",
      "support/rounds.ts",
    ])
      cpSync(join(import.meta.dirname, path), join(folder, "tests", path));
    symlinkSync(join(import.meta.dirname, "../node_modules"), join(folder, "node_modules"), "junction");
    for (const [index, body] of bodies.entries())
      writeFileSync(
        join(folder, "tests", `${"abcdef"[index]}.test.ts`),
        `import { suite } from "uvu";\nconst tests = suite("one");\ntests("given a body, runs it", () => { ${body} });\ntests.run();\n`,
      );
    const options = { env: { ...process.env }, encoding: "utf8", cwd: folder } as const;
    output = spawnSync(process.execPath, [join(folder, "tests/run.ts"), "--unit"], options).stdout;
  });
  return output;
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

  test("given a file that ends its process, names it and runs the rest", async () => {
    const stdout = await outputOf(["", "process.exit(0)", "", "", ""]);
    assert.match(stdout, /FAIL {2}tests\/b\.test\.ts ended its process/);
    assert.match(stdout, /\n4 passed, 1 failed, 0 skipped\n$/);
  });

  test("given an error after the last test of a process, counts it", async () => {
    const stdout = await outputOf(["", "void Promise.resolve().then(() => { throw new Error() })"]);
    assert.match(stdout, /FAIL {2}tests\/b\.test\.ts ended its process after its last test/);
    assert.match(stdout, /\n2 passed, 1 failed, 0 skipped\n$/);
  });

  test("given a test that fails, counts it once", async () => {
    assert.match(await outputOf(["", "throw new Error()"]), /\n1 passed, 1 failed, 0 skipped\n$/);
  });

  test("given an install without the development packages, says what to run", () =>
    withFolder((folder) => {
      const copy = join(folder, "tests", "run.ts");
      cpSync(RUN, copy);
      cpSync(join(import.meta.dirname, "support/test-files.ts"), join(folder, "tests/support/test-files.ts"));
      assert.match(lastLine({}, "engine", copy), /npm install --include=dev/);
    }));
});
