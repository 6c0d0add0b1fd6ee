import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { SettingsFile } from "../../../extensions/proxy/storage/settings-file.ts";
import { DEFAULT_SETTINGS } from "../../../src/engine/model/settings.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";

/** Values that must not be used, change a prototype or prevent the start. */
const HOSTILE = [
  "",
  "null",
  "[]",
  "7",
  '"text"',
  "{",
  "\0\0\0\0",
  "\ufeff{}",
  "[".repeat(100_000),
  `${'{"a":'.repeat(100)}1${"}".repeat(100)}`,
];

describe("settings file", (test) => {
  test("given a new folder, has the defaults and writes no file", () =>
    withFolder(async (folder) => {
      const file = SettingsFile.open(folder);
      assert.equal(file.settings, DEFAULT_SETTINGS);
      assert.equal(file.notices, []);
      assert.equal(await readdir(folder), []);
    }));

  test("given changed settings, reads them after a restart and stores only those", () =>
    withFolder(async (folder) => {
      const file = SettingsFile.open(folder);
      assert.is(file.change("fixedThreshold", 250), null);
      assert.is(file.change("passThrough", ["*.bank.example"]), null);
      assert.is(file.change("theme", "dark"), null);
      assert.is(file.change("theme", "system"), null);
      assert.equal(SettingsFile.open(folder).settings, {
        ...DEFAULT_SETTINGS,
        fixedThreshold: 250,
        passThrough: ["*.bank.example"],
      });
      const stored: unknown = JSON.parse(await readFile(join(folder, "settings.json"), "utf8"));
      assert.equal(stored, { version: 1, fixedThreshold: 250, passThrough: ["*.bank.example"] });
    }));

  test("given a wrong value, refuses it with a sentence and changes nothing", () =>
    withFolder(async (folder) => {
      const file = SettingsFile.open(folder);
      assert.match(file.change("fixedThreshold", 0) ?? "", /whole number of milliseconds from 1 to 600,000/);
      assert.match(file.change("colour", "red") ?? "", /no setting called "colour"/);
      assert.match(file.change("__proto__", {}) ?? "", /no setting/);
      assert.equal(file.settings, DEFAULT_SETTINGS);
      assert.equal(await readdir(folder), []);
    }));

  test("given a file of a newer Weir, keeps its version and unknown keys", () =>
    withFolder(async (folder) => {
      const path = join(folder, "settings.json");
      await writeFile(path, '{"version":7,"future":{"a":[1]},"theme":"dark"}');
      const file = SettingsFile.open(folder);
      assert.is(file.settings.theme, "dark");
      file.change("theme", "light");
      assert.equal(JSON.parse(await readFile(path, "utf8")), { version: 7, future: { a: [1] }, theme: "light" });
    }));

  test("given wrong fields, uses their defaults and keeps the other fields", () =>
    withFolder(async (folder) => {
      await writeFile(join(folder, "settings.json"), '{"theme":"dark","bodyCap":"large","captureExclude":["a b"]}');
      const file = SettingsFile.open(folder);
      assert.equal(file.settings, { ...DEFAULT_SETTINGS, theme: "dark" });
      assert.is(file.notices.length, 2);
      assert.match(file.notices.join(" "), /bodyCap: Enter a whole number.*captureExclude: "a b"/);
    }));

  test("given a file without settings, sets it aside with a notice", () =>
    withFolder(async (folder) => {
      const path = join(folder, "settings.json");
      for (const [index, text] of HOSTILE.entries()) {
        await writeFile(path, text);
        const file = SettingsFile.open(folder);
        assert.equal(file.settings, DEFAULT_SETTINGS);
        assert.match(file.notices[0] ?? "", /the defaults apply.*settings\.json\.unusable-/);
        assert.is(await readFile(`${path}.unusable-${index + 1}`, "utf8"), text);
      }
      await writeFile(path, Buffer.alloc(3 * 1024 * 1024, 32));
      assert.match(SettingsFile.open(folder).notices[0] ?? "", /larger than/);
    }));

  test("given a damaged file and a reader that does not own the folder, leaves the file in place", () =>
    withFolder(async (folder) => {
      await writeFile(join(folder, "settings.json"), "{");
      const file = SettingsFile.open(folder, false);
      assert.equal(file.settings, DEFAULT_SETTINGS);
      assert.match(file.notices[0] ?? "", /the defaults apply/);
      assert.equal(await readdir(folder), ["settings.json"]);
    }));

  test("given __proto__ and constructor as keys, changes no prototype and does not save them", () =>
    withFolder(async (folder) => {
      const path = join(folder, "settings.json");
      await writeFile(path, '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":5}');
      const file = SettingsFile.open(folder);
      file.change("theme", "dark");
      assert.is(({} as { polluted?: number }).polluted, undefined);
      assert.equal(Object.keys(file.settings), Object.keys(DEFAULT_SETTINGS));
      assert.is(String({}), "[object Object]");
      assert.equal(JSON.parse(await readFile(path, "utf8")), { toString: 5, version: 1, theme: "dark" });
    }));

  test("given a change that cannot be saved, keeps the old value", () =>
    withFolder(async (folder) => {
      const file = SettingsFile.open(folder);
      await mkdir(join(folder, "settings.json"));
      assert.match(file.change("theme", "dark") ?? "", /could not be saved/);
      assert.is(file.settings.theme, "system");
    }));
});
