import { execFileSync, spawn } from "node:child_process";
import { chmod, chown, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { openDataFolder } from "../../../extensions/proxy/storage/data-folder.ts";
import {
  clearTemporaries,
  openPrivateFile,
  openPrivateFolder,
  readPrivateFile,
  remove,
  setAside,
  writePrivateFile,
} from "../../../extensions/proxy/storage/private-file.ts";
import { openForReading, openForWriting } from "../../../extensions/proxy/storage/session-database.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { describe } from "../../support/describe.ts";
import { problemOf } from "../../support/problem-of.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { openFilesIn } from "./open-files.ts";

const CHILD = fileURLToPath(new URL("pipe-child.ts", import.meta.url));

const noModes = process.platform === "win32" ? "needs file modes" : null;

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

describe("private file", (test) => {
  test("given a written file, reads it again and leaves no temporary file", () =>
    withFolder(async (folder) => {
      const path = join(folder, "file");
      assert.is(writePrivateFile(path, "one"), null);
      assert.is(writePrivateFile(path, Buffer.from("two")), null);
      const file = readPrivateFile(path, 100);
      assert.is(String(unwrap(file)), "two");
      assert.equal(await readdir(folder), ["file"]);
      assert.equal(await openFilesIn(folder), []);
    }));

  test(
    "given any umask and earlier mode, makes files 0600 and folders 0700",
    () =>
      withFolder(async (folder) => {
        for (const mask of [0, 0o077, 0o177]) {
          const path = join(folder, `data-${mask}`);
          const old = process.umask(mask);
          const opened = openDataFolder(path);
          const written = writePrivateFile(join(path, "written"), "");
          const made = openPrivateFile(join(path, "lock.sqlite"));
          process.umask(old);
          assert.equal([opened.ok, written, made], [true, null, null]);
          assert.equal(
            [await modeOf(path), await modeOf(join(path, "written")), await modeOf(join(path, "lock.sqlite"))],
            [0o700, 0o600, 0o600],
          );
          await chmod(path, 0o755);
          await chmod(join(path, "written"), 0o666);
          await chmod(join(path, "lock.sqlite"), 0o644);
          openDataFolder(path);
          openPrivateFile(join(path, "lock.sqlite"));
          assert.ok(readPrivateFile(join(path, "written"), 9).ok);
          assert.equal(
            [await modeOf(path), await modeOf(join(path, "written")), await modeOf(join(path, "lock.sqlite"))],
            [0o700, 0o600, 0o600],
          );
        }
      }),
    { skip: noModes },
  );

  test(
    "given a folder that others can read, refuses it unchanged, unless Weir has used it before",
    () =>
      withFolder(async (folder) => {
        const path = join(folder, "shared");
        await mkdir(path);
        // Independently of the umask.
        await chmod(path, 0o755);
        await writeFile(join(path, "theirs"), "");
        assert.match(problemOf(openDataFolder(path)), `such as ${join(path, "weir")}.`);
        assert.is(await modeOf(path), 0o755);
        assert.ok(openDataFolder(join(path, "weir")).ok);
        await chmod(path, 0o700);
        assert.ok(openDataFolder(path).ok, "one that is private needs no change");
        await chmod(path, 0o755);
        await writeFile(join(path, "settings.json"), "{}");
        assert.equal([openDataFolder(path).ok, await modeOf(path)], [true, 0o700]);
      }),
    { skip: noModes },
  );

  test("given a symbolic link as a file or as the folder, refuses it", () =>
    withFolder(async (folder) => {
      const [target, link, folderLink] = [join(folder, "target"), join(folder, "link"), join(folder, "folder-link")];
      await writeFile(target, "theirs");
      await symlink(target, link);
      await symlink(folder, folderLink);
      assert.match(problemOf(readPrivateFile(link, 100)), /symbolic link/);
      assert.match(writePrivateFile(link, "ours") ?? "", /symbolic link/);
      assert.match(openPrivateFile(link) ?? "", /not a file/);
      assert.match(problemOf(openDataFolder(folderLink)), /symbolic link/);
      assert.is(await readFile(target, "utf8"), "theirs");
    }));

  test("given a link as a session's database, refuses to read and to write it", () =>
    withFolder(async (folder) => {
      const [target, own] = [join(folder, "target"), join(folder, "own")];
      await Promise.all([mkdir(target), mkdir(own)]);
      openForWriting(target).close();
      await symlink(join(target, "session.sqlite"), join(own, "session.sqlite"));
      assert.throws(() => openForWriting(own), /not a file/);
      assert.throws(() => openForReading(own), /not a session of Weir/);
      openForReading(target).close();
    }));

  test(
    "given a pipe in place of a file, refuses it without waiting for its other end",
    () =>
      withFolder(async (folder) => {
        const names = ["settings.json", "session.sqlite", "weir.log"];
        execFileSync(
          "mkfifo",
          names.map((name) => join(folder, name)),
        );
        // In a process of its own: a process blocked on a pipe cannot notice a time limit.
        const child = spawn(process.execPath, [CHILD, folder], { stdio: ["ignore", "pipe", "inherit"] });
        try {
          const said = JSON.parse(await text(child.stdout));
          assert.match(said.settings, /settings\.json is not a file/);
          assert.is(said.session.problem, "it is not a session of Weir");
        } finally {
          child.kill("SIGKILL");
        }
      }),
    { skip: noModes },
  );

  test("given a path that cannot be a folder, returns a sentence", () =>
    withFolder(async (folder) => {
      await writeFile(join(folder, "file"), "");
      assert.match(
        problemOf(openDataFolder(join(folder, "file", "below"))),
        /^The data folder cannot be used: .*(ENOTDIR|EEXIST)/,
      );
      assert.match(problemOf(openDataFolder(join(folder, "file"))), /is not a folder/);
    }));

  test("given a file above the limit or a folder, refuses to read it", () =>
    withFolder(async (folder) => {
      await writeFile(join(folder, "large"), "12345");
      await mkdir(join(folder, "folder"));
      assert.match(problemOf(readPrivateFile(join(folder, "large"), 4)), /is larger than 4 bytes$/);
      assert.match(problemOf(readPrivateFile(join(folder, "folder"), 4)), /is not a file$/);
      assert.is(unwrap(readPrivateFile(join(folder, "none"), 4)), null);
    }));

  test("given temporary files of an interrupted write, removes only those", () =>
    withFolder(async (folder) => {
      for (const name of [".settings.json.0123456789ab.tmp", "a.tmp", ".b.tmp", "settings.json"]) {
        await writeFile(join(folder, name), "");
      }
      assert.is(clearTemporaries(folder), null);
      assert.match(
        clearTemporaries(join(folder, "none")) ?? "",
        /none could not be cleared of temporary files: .*ENOENT/,
      );
      assert.equal((await readdir(folder)).sort(), [".b.tmp", "a.tmp", "settings.json"]);
    }));

  test(
    "given a file or folder of another user, refuses it",
    () =>
      withFolder(async (folder) => {
        const [file, other] = [join(folder, "file"), join(folder, "folder")];
        await writeFile(file, "");
        await mkdir(other);
        for (const path of [file, other]) await chown(path, 54_321, 54_321);
        assert.is(problemOf(readPrivateFile(file, 10)), `${file} belongs to another user`);
        assert.is(openPrivateFile(file), `${file} belongs to another user`);
        assert.is(openPrivateFolder(other), `${other} belongs to another user`);
      }),
    { skip: process.getuid?.() === 0 ? null : "needs root, who may give files away" },
  );

  test("given a path that does not exist, removes nothing and succeeds", () =>
    withFolder(async (folder) => {
      await mkdir(join(folder, "whole", "folder"), { recursive: true });
      for (const _ of [1, 2]) assert.is(remove(join(folder, "whole")), null);
      assert.equal(await readdir(folder), []);
    }));

  test("given two files set aside under the same name, keeps both", () =>
    withFolder(async (folder) => {
      for (const text of ["first", "second"]) {
        await writeFile(join(folder, "file"), text);
        setAside(join(folder, "file"));
      }
      assert.is(await readFile(join(folder, "file.unusable-1"), "utf8"), "first");
      assert.is(await readFile(join(folder, "file.unusable-2"), "utf8"), "second");
      assert.is(setAside(join(folder, "file")), null);
    }));
});
