import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

function run(script: string, word: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, word], { cwd: ROOT, encoding: "utf8" });
  return { status, stdout, stderr };
}

describe("the command lines beside `npm start`", (test) => {
  const commands = [
    ["package", "scripts/package.ts", /^npm run package -- /m],
    ["bench", "bench/run.ts", /^npm run bench -- /m],
  ] as const;

  for (const [name, script, usage] of commands) {
    test(`npm run ${name} lists its words when it is asked to`, () => {
      const { status, stdout, stderr } = run(script, "--help");
      assert.equal([status, stderr], [0, ""]);
      assert.match(stdout, usage);
    });

    test(`npm run ${name} says which word it does not know, in a sentence`, () => {
      const { status, stdout, stderr } = run(script, "--hlep");
      assert.equal([status, stdout], [2, ""]);
      assert.match(stderr, /^Unknown option '--hlep'/);
      assert.match(stderr, usage);
    });
  }
});
