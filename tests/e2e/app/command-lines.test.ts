import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

function run(script: string, word: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, word], { cwd: ROOT, encoding: "utf8" });
  return { status, stdout, stderr };
}

describe("command lines besides `npm start`", (test) => {
  const commands = [
    ["package", "scripts/package.ts", /^npm run package -- /m],
    ["bench", "bench/run.ts", /^npm run bench -- /m],
  ] as const;

  for (const [name, script, usage] of commands) {
    test(`given npm run ${name} with --help, lists its options`, () => {
      const { status, stdout, stderr } = run(script, "--help");
      assert.equal([status, stderr], [0, ""]);
      assert.match(stdout, usage);
    });

    test(`given npm run ${name} with an unknown option, names the option and lists the known ones`, () => {
      const { status, stdout, stderr } = run(script, "--hlep");
      assert.equal([status, stdout], [2, ""]);
      assert.match(stderr, /^Unknown option '--hlep'/);
      assert.match(stderr, usage);
    });
  }
});
