import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { assigned, quoted, quotedForWindows, type Shell, unspeakable } from "../../../src/engine/quoting/shell.ts";
import { encodeUtf8 } from "../../../src/engine/quoting/utf8.ts";
import { describe } from "../../support/describe.ts";
import { hostileText } from "../../support/hostile.ts";
import { rounds } from "../../support/rounds.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { runTool } from "../../support/tool.ts";
import { needs } from "../../support/which.ts";
import { argumentsOf, lineAfterCmd, valueInPowerShell } from "../../support/windows-shells.ts";

/** Each real shell gets this many values in one script. */
const values = fc.sample(hostileText, { numRuns: rounds(300), seed: 1 });

describe("quoting for shells", (test) => {
  for (const [program, shell] of [
    ["sh", "sh"],
    ["bash", "sh"],
    ["zsh", "sh"],
    ["fish", "fish"],
  ] as const) {
    const skip = needs(program);

    test(
      `given hostile words, ${program} reads each word unchanged`,
      async () => {
        const script = values.map((value) => `printf '%s\\0' ${quoted(value, shell)}`).join("\n");
        assert.equal(await run(program, script), values);
      },
      { skip },
    );

    test(
      `given hostile values, ${program} assigns each value unchanged`,
      async () => {
        const script = values
          .map((value) => `${assigned("WEIR_X", value, shell)}\nprintf '%s\\0' "$WEIR_X"`)
          .join("\n");
        assert.equal(await run(program, script), values);
      },
      { skip },
    );

    test(
      `given bytes that are not UTF-8, ${program} passes them unchanged`,
      () =>
        withFolder(async (folder) => {
          const value = "a\udcff\udc80b";
          const { stdout } = await runTool([program, "-c", `printf '%s' ${quoted(value, shell)}`], folder);
          assert.equal([...stdout], [...encodeUtf8(value)]);
        }),
      { skip },
    );
  }

  test("given invisible characters, the quoted text contains none of them", () => {
    for (const shell of ["sh", "fish", "powershell"] as const)
      for (const value of values)
        assert.not.match(quoted(value, shell).replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });

  test("given hostile values, PowerShell's rules parse each value unchanged (parsed by its rules, not run)", () => {
    for (const value of values) {
      assert.is(valueInPowerShell(quoted(value, "powershell")), value);
      assert.is(valueInPowerShell(assigned("X", value, "powershell").replace("$env:X = ", "")), value);
    }
  });

  test("given printable ASCII values, cmd's rules parse each value unchanged (parsed by its rules, not run)", () => {
    const variables = { PATH: "expanded", a: "expanded", "": "expanded" };
    const ascii = values.map((value) => value.replaceAll(/[^ -~]/g, ""));
    for (const value of ascii) {
      const line = `curl ${quoted(value, "cmd")} ${quoted(value, "cmd")} end`;
      assert.equal(argumentsOf(lineAfterCmd(line, variables)), ["curl", value, value, "end"], value);
      const set = lineAfterCmd(assigned("WEIR_X", value, "cmd"), variables);
      assert.is(/^set "WEIR_X=(.*)"$/.exec(set)?.[1] ?? set.replace("set WEIR_X=", ""), value);
    }
  });

  test("given a word for Windows, PowerShell and, where it can, cmd parse it unchanged (by their rules, not run)", () => {
    const ascii = values.map((value) => value.replaceAll(/[^ -~]/g, ""));
    for (const value of ["http://[::1]:8686", "C:\\Users\\Ada L\\a & b.pem", "", ...ascii]) {
      const word = quotedForWindows(value);
      if (word !== `"${value}"`) {
        assert.is(valueInPowerShell(word), value);
        continue;
      }
      assert.equal(argumentsOf(lineAfterCmd(`curl ${word} end`, { a: "expanded" })), ["curl", value, "end"]);
      assert.not.match(value, /["$`]/, "PowerShell reads these in double quotes");
    }
  });

  test("given ordinary words, leaves them unquoted, and quotes the empty word", () => {
    assert.is(quoted("http://127.0.0.1:8686", "sh"), "http://127.0.0.1:8686");
    assert.is(quoted("http://127.0.0.1:8686", "cmd"), "http://127.0.0.1:8686");
    assert.is(quoted("", "sh"), "''");
    assert.is(quoted("", "fish"), "''");
    assert.is(quoted("", "powershell"), "''");
    assert.is(quoted("", "cmd"), '^"^"');
  });

  test("given an assignment, writes it in the shell's usual form", () => {
    const forms: Record<Shell, string> = {
      sh: "export NO_PROXY=''",
      fish: "set -gx NO_PROXY ''",
      powershell: "$env:NO_PROXY = ''",
      cmd: 'set "NO_PROXY="',
    };
    for (const shell of Object.keys(forms) as Shell[]) assert.is(assigned("NO_PROXY", "", shell), forms[shell]);
  });

  test("given a value that a shell cannot express, explains why and refuses to quote it", () => {
    assert.match(unspeakable("a\0b", "sh") ?? "", /zero byte/);
    assert.match(unspeakable("\udcff", "powershell") ?? "", /not text/);
    assert.match(unspeakable("a\nb", "cmd") ?? "", /line breaks/);
    assert.is(unspeakable("a\nb\udcff", "fish"), null);
    assert.throws(() => quoted("a\0b", "sh"), /zero byte/);
  });
});

/** Runs a script in an empty folder that must stay empty; returns its output, split at zero bytes. */
async function run(program: string, script: string): Promise<string[]> {
  let words: string[] = [];
  await withFolder(async (folder) => {
    mkdirSync(join(folder, "empty"));
    const { stdout, stderr } = await runTool([program, "-c", `cd empty\n${script}`], folder);
    assert.is(stderr, "");
    assert.equal(readdirSync(join(folder, "empty")), []);
    words = stdout.toString().split("\0").slice(0, -1);
  });
  return words;
}
