import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { COMMANDS } from "../../../scripts/commands.ts";
import { describe } from "../../support/describe.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

function run(script: string, ...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], { cwd: ROOT, encoding: "utf8" });
  return { status, stdout, stderr };
}

function weir(...words: readonly string[]) {
  return run("scripts/weir.mjs", ...words);
}

function optionsIn(text: string): string[] {
  return [...new Set([...text.matchAll(/--([a-z][a-z-]+)/g)].map(([, name]) => String(name)))].sort();
}

describe("the weir command", (test) => {
  test("lists every command, and explains each", () => {
    const { status, stdout, stderr } = weir("help");
    assert.equal([status, stderr], [0, ""]);
    for (const { name, summary } of COMMANDS) {
      assert.ok(stdout.includes(`${name} `) && stdout.includes(summary));
      const explained = weir("help", name);
      assert.equal([explained.status, explained.stderr], [0, ""]);
      assert.ok(explained.stdout.startsWith(`weir ${name}`));
      assert.equal(weir(name, "--help").stdout, explained.stdout);
    }
  });

  for (const { name, script } of COMMANDS)
    if (script !== null && name !== "demo")
      test(`${name} has exactly the options that its script lists`, () => {
        const own = optionsIn(run(`scripts/${script[0]}`, "--help").stdout);
        assert.ok(own.length > 0);
        assert.equal(optionsIn(weir("help", name).stdout), own);
      });

  test("suggests a command or an option that is close", () => {
    const command = weir("reprot");
    assert.equal([command.status, command.stdout], [2, ""]);
    assert.match(command.stderr, /^Weir has no command "reprot"\. Did you mean report\? [^\n]*\n$/);
    const option = weir("report", "--fromat", "md");
    assert.equal([option.status, option.stdout], [2, ""]);
    assert.match(option.stderr, /^weir report has no option --fromat\. Did you mean --format\? [^\n]*\n$/);
    assert.equal(weir("version", "now").status, 2);
  });

  test("hands words and exit codes through", () => {
    const { status, stdout, stderr } = weir("report", "no-such-file.har");
    assert.equal([status, stdout], [2, ""]);
    assert.match(stderr, /no-such-file\.har/);
    assert.match(weir("version").stdout, /^\d+\.\d+\.\d+\n$/);
  });
});
