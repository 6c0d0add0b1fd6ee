import { type StdioOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { SessionStore } from "../../../extensions/proxy/storage/sessions.ts";
import { addSession, PLENTY } from "../../proxy/storage/small-sessions.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const WEIR = fileURLToPath(new URL("../../../scripts/weir.mjs", import.meta.url));

const needsFull = existsSync("/dev/full") ? null : "needs /dev/full";

/** Runs `body` in a folder with a data folder `data` of one recording, a budget, and files that are invalid. */
function withInput(body: (folder: string) => void | Promise<void>): Promise<void> {
  return withFolder(async (folder) => {
    addSession(SessionStore.open(join(folder, "data"), PLENTY), 6, 0);
    writeFileSync(join(folder, "weir.budget.json"), '{"endpoints":{"*":{"count":1}}}');
    writeFileSync(join(folder, "cut.json"), '{"endpoints":{');
    writeFileSync(join(folder, "empty.json"), "{}");
    writeFileSync(join(folder, "large.json"), "[".repeat(1024 * 1024 + 1));
    writeFileSync(join(folder, "text.har"), "no HAR");
    await body(folder);
  });
}

function weir(folder: string, words: readonly string[], stdout: number | "pipe" = "pipe") {
  const stdio: StdioOptions = ["ignore", stdout, "pipe"];
  const ended = spawnSync(process.execPath, [WEIR, ...words], { cwd: folder, encoding: "utf8", stdio });
  return { code: ended.status, text: ended.stdout ?? "", complaint: ended.stderr };
}

const DATA = ["--data-dir", "data"];

/** What a new user may get wrong: arguments, exit code (docs/specification.md, Exit codes), and the sentence. */
const WRONG: readonly (readonly [words: readonly string[], code: number, sentence: RegExp])[] = [
  [["check", "absent.har"], 2, /^absent\.har cannot be read: no such file or directory \(ENOENT\)\.$/],
  [["check", "text.har", "--format", "sarif"], 2, /^text\.har cannot be read: This is not a HAR file/],
  [["check", ...DATA, "--budget", "absent.json", "--format", "junit"], 2, /^There is no budget \S+absent\.json\.$/],
  [["check", ...DATA, "--budget", "cut.json", "--format", "github"], 2, /^cut\.json: The file is not JSON: /],
  [["check", ...DATA, "--budget", "empty.json", "--format", "md"], 2, /^empty\.json limits nothing/],
  [["check", ...DATA, "--budget", "large.json"], 2, /^large\.json is larger than 1 MB\.$/],
  [["check", ...DATA, "--accepted", "large.json"], 2, /^large\.json is larger than 1 MB\.$/],
  [["check", ...DATA, "--budget", "data"], 2, /^data cannot be read: illegal operation on a directory \(EISDIR\)\.$/],
  [["check", ...DATA, "--session", "zzz"], 4, /^There is no session "zzz" in data\. The newest is /],
  [["check", "--data-dir", "nowhere"], 4, /^There is no folder nowhere\.$/],
  [["check", "--budget"], 2, /^--budget takes a value: --budget FILE\. weir help check lists its options\.$/],
  [["report", "--data-dir", "text.har"], 4, /^There is no folder text\.har\.$/],
  [["export", ...DATA, "--format", "json", "--out", "data"], 73, /^data cannot be written: .*\(EISDIR\)\.$/],
  [["env", "--shell"], 2, /^--shell takes a value: /],
  [["env", "--data-dir", "text.har"], 4, /^No Weir runs with the data folder .*text\.har\./],
  [["stop", "--data-dir", "nowhere"], 4, /^No Weir runs with the data folder .*nowhere\.$/],
  [["certificate", "--data-dir", "text.har"], 4, /^.*weir-ca\.pem cannot be read: not a directory \(ENOTDIR\)\.$/],
  [["mcp", "absent.har"], 2, /^There is no file absent\.har\.$/],
  [["mcp", "--data-dir"], 2, /^--data-dir takes a value: /],
  [["mcp", "--data-dir="], 2, /^--data-dir needs a value, but the given one is empty\.$/],
  [["--prot", "1"], 2, /^weir start has no option --prot\. Did you mean --port\?/],
];

describe("bad input to the weir command", (test) => {
  for (const [words, code, sentence] of WRONG)
    test(`given ${words.join(" ")}, ends with exit code ${code} and one sentence`, () =>
      withInput((folder) => {
        const ended = weir(folder, words);
        assert.equal([ended.code, ended.text], [code, ""]);
        assert.match(ended.complaint.trimEnd(), sentence);
      }));

  test("given a file's name with controls, directions or commands to a CI system, writes one harmless line", () => {
    const part = fc.constantFrom("a", "\n", "\r", "::error::", "##[error]", "\u001b[31m", "\u0085", "\u2028", "\u202e");
    const names = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(""));
    return withInput((folder) =>
      fc.assert(
        fc.property(
          fc.constantFrom("report", "check", "export --format har"),
          names,
          fc.boolean(),
          (command, name, isThere) => {
            if (isThere) writeFileSync(join(folder, name), "no HAR");
            const { code, complaint } = weir(folder, [...command.split(" "), `./${name}`]);
            assert.is(code, 2);
            assert.match(complaint, /^[^\p{C}\p{Zl}\p{Zp}]+\n$/u);
            assert.not.match(complaint, /(?:^|\s)::[a-z]|##\[/);
          },
        ),
        { numRuns: 8 },
      ),
    );
  });

  for (const words of [
    ["report", ...DATA],
    ["report", ...DATA, "--format", "html"],
    ["export", ...DATA, "--format", "har"],
    ["check", ...DATA],
    ["check", ...DATA, "--format", "sarif"],
    ["sessions", ...DATA],
    ["completion", "bash"],
    ["help"],
    ["version"],
  ])
    test(
      `given a full disk, ${words.join(" ")} ends with exit code 73 and the reason`,
      () =>
        withInput((folder) => {
          const { code, complaint } = weir(folder, words, openSync("/dev/full", "w"));
          assert.equal(
            [code, complaint],
            [73, "Standard output cannot be written: no space left on device (ENOSPC).\n"],
          );
          const hasOut = ["report", "export", "check"].includes(String(words[0]));
          if (!hasOut) return;
          const named = weir(folder, [...words, "--out", "/dev/full"]);
          assert.equal(
            [named.code, named.complaint],
            [73, "/dev/full cannot be written: no space left on device (ENOSPC).\n"],
          );
        }),
      { skip: needsFull },
    );

  test("given a source that cannot be read, --out leaves the file that is there", () =>
    withInput((folder) => {
      const kept = join(folder, "kept");
      writeFileSync(kept, "before");
      for (const [command, ...more] of [["report"], ["export", "--format", "json"], ["check"]])
        assert.is(weir(folder, [String(command), "text.har", ...more, "--out", "kept"]).code, 2);
      assert.is(readFileSync(kept, "utf8"), "before");
    }));

  test("given a budget with a byte order mark, reads it", () =>
    withInput((folder) => {
      writeFileSync(join(folder, "bom.json"), '\ufeff{"endpoints":{"*":{"count":9}},"requests":{"min":1}}');
      assert.is(weir(folder, ["check", ...DATA, "--budget", "bom.json"]).code, 0);
    }));

  test("given a client that is gone, mcp ends well", () =>
    withInput(async (folder) => {
      const child = spawn(process.execPath, [WEIR, "mcp", ...DATA], { cwd: folder });
      child.stdout.destroy();
      let complaint = "";
      child.stderr.on("data", (piece: Buffer) => {
        complaint += piece;
      });
      child.stdin.on("error", () => {});
      child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'.repeat(2_000));
      assert.equal([(await once(child, "close"))[0], complaint], [0, ""]);
    }));

  test("given a reader that leaves early, a broken budget keeps its exit code", () =>
    withInput(async (folder) => {
      const child = spawn(process.execPath, [WEIR, "check", ...DATA], { cwd: folder });
      child.stdout.destroy();
      assert.is((await once(child, "close"))[0], 1);
    }));
});
