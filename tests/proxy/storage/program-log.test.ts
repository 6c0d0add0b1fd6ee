import { readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { ProgramLog } from "../../../extensions/proxy/storage/program-log.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const now = () => new Date("2026-11-20T12:00:00Z");

describe("program log", (test) => {
  test("given line breaks and control characters, writes one line with its time", () =>
    withFolder(async (folder) => {
      const log = new ProgramLog(folder, "info", now);
      log.write("The proxy listens.");
      log.write("a\r\nb\u2028c\x1b[31m\u202e");
      const text = await readFile(join(folder, "weir.log"), "utf8");
      assert.is(text, "2026-11-20T12:00:00.000Z The proxy listens.\n2026-11-20T12:00:00.000Z a b c [31m \n");
      assert.is((await stat(join(folder, "weir.log"))).mode & 0o077, 0);
    }));

  test("given many entries over several starts, keeps each of the two files below 1.1 MB", () =>
    withFolder(async (folder) => {
      for (let start = 0; start < 3; start += 1) {
        const log = new ProgramLog(folder, "info", now);
        for (let count = 0; count < 700; count += 1) log.write("x".repeat(5_000));
      }
      assert.ok((await stat(join(folder, "weir.log"))).size <= 1_100_000);
      assert.ok((await stat(join(folder, "weir.log.old"))).size <= 1_100_000);
    }));

  test("given a log that cannot be written or is a link, drops the entry and does not fail", () =>
    withFolder(async (folder) => {
      new ProgramLog(join(folder, "none"), "info", now).write("lost");
      await writeFile(join(folder, "target"), "");
      await symlink(join(folder, "target"), join(folder, "weir.log"));
      new ProgramLog(folder, "info", now).write("lost");
      assert.is(await readFile(join(folder, "target"), "utf8"), "");
    }));
});
