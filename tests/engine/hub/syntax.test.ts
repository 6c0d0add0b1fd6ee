import { closeSync, openSync } from "node:fs";
import { extname, join } from "node:path";
import * as assert from "uvu/assert";
import { GOLDEN_FOLDER, goldenFiles } from "../../../scripts/golden.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { runTool } from "../../support/tool.ts";
import { needs } from "../../support/which.ts";

/** Programs that check a text's syntax without running it, by file extension. The proofs compile Rust and Java. */
const READERS: readonly (readonly [extension: string, program: string, ...words: string[]])[] = [
  [".sh", "sh", "-n"],
  [".sh", "bash", "-n"],
  [".sh", "zsh", "-n"],
  [".fish", "fish", "--no-execute"],
  [".js", process.execPath, "--input-type=module", "--check", "-"],
  [".py", "python3", "-c", "import ast, sys; ast.parse(sys.stdin.read())"],
  [".rb", "ruby", "-c"],
  [".php", "php", "-l"],
  [".go", "gofmt", "-d"],
  [".json", process.execPath, "-e", "JSON.parse(require('fs').readFileSync(0, 'utf8'))"],
];

describe("syntax check of golden snippets", (test) => {
  for (const [extension, program, ...words] of READERS) {
    const files = goldenFiles().filter((name) => extname(name) === extension);
    test(
      `given its golden snippets, no error from ${[program.split("/").at(-1), ...words].join(" ").slice(0, 24)}`,
      () =>
        withFolder(async (folder) => {
          assert.ok(files.length > 0);
          for (const name of files) {
            // fish reads only files, not pipes.
            const input = openSync(join(GOLDEN_FOLDER, name), "r");
            const { code, output, stdout } = await runTool([program, ...words], folder, { input });
            closeSync(input);
            assert.is(code, 0, `${name}: ${output}`);
            // gofmt prints the text as it would format it.
            if (program === "gofmt") assert.is(stdout.toString(), "", name);
          }
        }),
      { skip: needs(program) },
    );
  }
});
