import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { SessionStore } from "../../../extensions/proxy/storage/sessions.ts";
import { listSessions } from "../../../extensions/proxy/storage/stored-sessions.ts";
import { COMPLETION_FOLDER, completionTexts } from "../../../scripts/golden.ts";
import { addSession, PLENTY } from "../../proxy/storage/small-sessions.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { needs } from "../../support/which.ts";

const WEIR = fileURLToPath(new URL("../../../scripts/weir.mjs", import.meta.url));
const ZSH = fileURLToPath(new URL("../../support/zsh-completion.zsh", import.meta.url));

type Shell = "bash" | "zsh" | "fish";

/** What the shell offers after a command line, with `weir` on its PATH. */
type Offer = (line: string) => readonly string[];

/** Runs the shell itself with the printed script. */
function offerOf(shell: Shell, folder: string): Offer {
  const weir = join(folder, "weir");
  writeFileSync(weir, `#!/bin/sh\nexec "${process.execPath}" "${WEIR}" "$@"\n`);
  chmodSync(weir, 0o755);
  const env = { ...process.env, HOME: folder, PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}` };
  const script = join(folder, "script");
  const printed = spawnSync(weir, ["completion", shell], { encoding: "utf8" });
  assert.is(printed.stderr, "");
  writeFileSync(script, printed.stdout);
  const run = (program: string, words: readonly string[]) => {
    const { stdout, stderr } = spawnSync(program, words, { encoding: "utf8", env, timeout: 60_000 });
    assert.is(stderr, "");
    return stdout.split("\n").filter((line) => line !== "");
  };
  switch (shell) {
    case "bash": {
      const typed = `read -ra COMP_WORDS <<< "$2"; case "$2" in *" ") COMP_WORDS+=("") ;; esac`;
      const offer = `source "$1"; ${typed}; COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _weir; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return (line) => run("bash", ["-c", offer, "bash", script, line]);
    }
    case "zsh":
      return (line) => run("zsh", ["-f", ZSH, ZSH, script, line]);
    case "fish":
      return (line) =>
        run("fish", ["-c", `source $argv[1]; complete -C $argv[2]`, script, line]).map((one) =>
          String(one.split("\t")[0]),
        );
  }
}

function holds(offered: readonly string[], wanted: readonly string[], what: string): void {
  for (const word of wanted) assert.ok(offered.includes(word), `${word} in ${what}: ${offered.join(" ")}`);
}

describe("shell completion of values", (test) => {
  test("given PowerShell, has the expected script, with values for each option that bash completes", () => {
    for (const [name, text] of completionTexts()) {
      assert.fixture(text, readFileSync(join(COMPLETION_FOLDER, name), "utf8"), name);
      for (const line of [
        "'report --format' = @('text', 'json', 'md', 'html')",
        "'check --session' = @('<sessions>')",
        "'check --baseline' = @('<sources>')",
        "'check --budget' = @('<files>')",
        "'compare' = @('<sources>')",
        "'mark' = @('A', 'B')",
      ])
        assert.ok(text.includes(`    ${line}\n`), line);
    }
  });

  for (const shell of ["bash", "zsh", "fish"] as const)
    test(
      `given ${shell}, completes formats, presets, tables, arguments, and sessions by id and name`,
      () =>
        withFolder((folder) => {
          const store = SessionStore.open(folder, PLENTY);
          const ids = [addSession(store, 1, 0), addSession(store, 3, 5_000)];
          store.describeSession(ids[0] ?? "", { name: "before" });
          store.describeSession(ids[1] ?? "", { name: "after: two" });
          assert.is(listSessions(folder).length, 2);
          const offer = offerOf(shell, folder);
          for (const [line, words] of [
            ["weir report --format ", ["text", "json", "md", "html"]],
            ["weir compare --format ", ["text", "md", "json"]],
            ["weir start --slow ", ["cable", "slow-4g", "edge"]],
            ["weir start --log-level ", ["info", "debug"]],
            ["weir export --table ", ["latency", "chains"]],
            ["weir env --shell ", ["fish", "powershell"]],
            ["weir start --n", ["--native", "--no-open"]],
            ["weir mark ", ["A", "B"]],
            ["weir sessions ", ["new", "rename"]],
            ["weir completion ", ["bash", "zsh", "fish"]],
          ] as const)
            holds(offer(line), words, line);
          assert.equal(offer("weir report --format js"), ["json"]);
          const sessions = offer(`weir report --data-dir ${folder} --session `);
          holds(
            sessions,
            ["current", "last", "before", shell === "fish" ? "after: two" : "after:\\ two", ...ids],
            "ids",
          );
          assert.equal(offer(`weir report --data-dir ${folder} --session be`), ["before"]);
          holds(offer(`weir compare --data-dir ${folder} be`), ["before"], "compare");
        }),
      { skip: needs(shell) },
    );
});
