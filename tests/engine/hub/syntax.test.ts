import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { extname, join } from "node:path";
import * as assert from "uvu/assert";
import { GOLDEN_FOLDER, goldenFiles } from "../../../scripts/golden.ts";
import { describe } from "../../support/describe.ts";
import { needs } from "../../support/which.ts";

/** What reads a text without running it, by its file's extension. Rust and Java are compiled by their proofs. */
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

describe("every golden snippet is read without a complaint", (test) => {
  for (const [extension, program, ...words] of READERS) {
    const files = goldenFiles().filter((name) => extname(name) === extension);
    test(
      `by ${[program.split("/").at(-1), ...words].join(" ").slice(0, 24)}`,
      () => {
        assert.ok(files.length > 0);
        for (const name of files) {
          const { status, stdout, stderr } = reading(join(GOLDEN_FOLDER, name), program, words);
          assert.is(status, 0, `${name}: ${stderr}`);
          // gofmt prints what it would write otherwise.
          if (program === "gofmt") assert.is(stdout, "", name);
        }
      },
      { skip: needs(program.startsWith("/") ? "true" : program), limit: 60_000 },
    );
  }
});

/** fish reads a file only, no pipe. */
function reading(path: string, program: string, words: readonly string[]) {
  const file = openSync(path, "r");
  try {
    return spawnSync(program, words, { stdio: [file, "pipe", "pipe"], encoding: "utf8", timeout: 15_000 });
  } finally {
    closeSync(file);
  }
}
