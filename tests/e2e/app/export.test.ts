import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { ImportedSession } from "../../../extensions/proxy/storage/imported-session.ts";
import { SessionStore } from "../../../extensions/proxy/storage/sessions.ts";
import { EXPORT_TABLES } from "../../../src/engine/messages/exchange-messages.ts";
import { addSession, PLENTY, recorded } from "../../proxy/storage/small-sessions.ts";
import { exchange, moment } from "../../proxy/storage/story.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const WEIR = fileURLToPath(new URL("../../../scripts/weir.mjs", import.meta.url));

interface Exported {
  readonly code: number | null;
  readonly complaint: string;
}

/** Runs `npm run export` on a folder; its reader may close before it has read anything. */
async function exported(folder: string, readerLeaves = false): Promise<Exported> {
  const { code, complaint } = await exportedWith(["--data-dir", folder, "--format", "har"], readerLeaves);
  return { code, complaint };
}

async function exportedWith(words: readonly string[], readerLeaves = false): Promise<Exported & { text: string }> {
  const child = spawn(process.execPath, [WEIR, "export", ...words]);
  let text = "";
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  if (readerLeaves) child.stdout.destroy();
  else {
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  const [code] = (await once(child, "close")) as [number | null];
  return { code, complaint, text };
}

describe("npm run export", (test) => {
  test("given a reader that closes the output early, exits with 0 and no complaint", () =>
    withFolder(async (folder) => {
      recorded(folder, 5);
      assert.equal(await exported(folder, true), { code: 0, complaint: "" });
    }));

  test("given a session of 2,000 exchanges, exports each table as JSON", () =>
    withFolder(async (folder) => {
      recorded(folder, 2_000);
      for (const table of EXPORT_TABLES) {
        const words = ["--data-dir", folder, "--table", table, "--format", "json"];
        const { code, complaint, text } = await exportedWith(words);
        assert.equal([code, complaint], [0, ""], table);
        assert.ok(Array.isArray(JSON.parse(text)), table);
      }
    }));

  for (const [what, words, said, code] of [
    ["an unknown form", ["--format", "xml"], /^--format takes .*, not "xml"\. /, 2],
    ["an unknown table", ["--format", "csv", "--table", "nope"], /^--table takes .*, not "nope"\.\n/, 2],
    [
      "an empty word",
      ["--format", "csv", "--session", ""],
      /^--session needs a value, but the given one is empty\.\n/,
      2,
    ],
    [
      "an unknown session",
      ["--format", "csv", "--session", "x"],
      /^There is no session "x" in \S+\. The newest is \S+; weir sessions lists all by id and name\.\n$/,
      4,
    ],
    [
      "a session that is not recorded",
      ["--format", "csv", "--session", "current"],
      /^Nothing is being recorded in \S+\.\n$/,
      4,
    ],
    [
      "a folder that is not there",
      ["--format", "csv", "--data-dir", "/none/such"],
      /^There is no folder \/none\/such\.\n$/,
      4,
    ],
    [
      "a file that cannot be made",
      ["--format", "csv", "--out", "/none/such"],
      /^\/none\/such cannot be written: .*\n$/,
      73,
    ],
  ] as const) {
    test(`given ${what}, says what is wrong`, () =>
      withFolder(async (folder) => {
        recorded(folder, 1);
        const { code: ended, complaint, text } = await exportedWith(["--data-dir", folder, ...words]);
        assert.match(complaint, said);
        assert.equal([ended, text], [code, ""]);
      }));
  }

  test("given an imported session, finds the latest session by the times in its file, not of its import", () =>
    withFolder(async (folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const exchangesOf = async (session: readonly string[]) => {
        const { text } = await exportedWith(["--data-dir", folder, "--format", "json", ...session]);
        return (JSON.parse(text) as unknown[]).length;
      };
      const importOf = (count: number, endedAt: number) => {
        const imported = new ImportedSession(store.importTarget(moment(5_000)));
        for (let number = 1; number <= count; number += 1) imported.append(exchange(number));
        const facts = { name: "a.har", startedAt: moment(-9_000), endedAt: moment(endedAt), baseline: false };
        assert.is(imported.finish(facts, {}), null);
      };
      addSession(store, 1, 0);
      importOf(2, -8_000);
      assert.equal([await exchangesOf([]), await exchangesOf(["--session", "last"])], [1, 1], "its file is older");
      store.startSession(moment(2_000));
      for (const number of [1, 2, 3]) store.append(exchange(number));
      store.flush();
      importOf(4, -7_000);
      assert.equal([await exchangesOf([]), await exchangesOf(["--session", "last"])], [3, 1], "one is being recorded");
      importOf(5, 4_000);
      assert.equal([await exchangesOf([]), await exchangesOf(["--session", "last"])], [3, 5], "its file is newer");
    }));

  test("given a data or sessions folder that cannot be read, exits with code 4 and says why", () =>
    withFolder(async (folder) => {
      // Not even root can follow these.
      for (const path of [join(folder, "loop"), join(folder, "sessions")]) symlinkSync(path, path);
      for (const data of [join(folder, "loop"), folder]) {
        const { code, complaint } = await exported(data);
        assert.is(code, 4);
        assert.match(complaint, `${data} cannot be read: too many symbolic links encountered (ELOOP).\n`);
      }
    }));

  test("given a folder without any recording, says that nothing has been recorded yet", () =>
    withFolder(async (folder) => {
      const { code, complaint } = await exported(folder);
      assert.equal([code, complaint], [4, `Nothing has been recorded in ${folder} yet.\n`]);
    }));

  test("given a session that is cleared during its export, exits with code 4 and says so", () =>
    withFolder(async (folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const id = store.startSession(moment(0));
      // Far more than a pipe between two programs can hold.
      for (let number = 1; number <= 40; number += 1) store.append(exchange(number, Buffer.alloc(1024 * 1024, "text")));
      store.endSession(moment(1), {});
      const child = spawn(process.execPath, [WEIR, "export", "--data-dir", folder, "--format", "har"]);
      let complaint = "";
      child.stderr.on("data", (chunk: Buffer) => {
        complaint += chunk.toString();
      });
      await once(child.stdout, "readable");
      store.dropExchanges(id);
      child.stdout.resume();
      const [code] = (await once(child, "close")) as [number | null];
      assert.equal([code, complaint], [4, `Session ${id} was cleared or deleted while it was exported.\n`]);
    }));

  test("given settings that cannot be parsed, exports and leaves the file to Weir, which may be running", () =>
    withFolder(async (folder) => {
      recorded(folder, 1);
      const settings = join(folder, "settings.json");
      writeFileSync(settings, "{");
      const before = readdirSync(folder);
      assert.is((await exported(folder)).code, 0);
      assert.equal(readdirSync(folder), before);
      assert.is(readFileSync(settings, "utf8"), "{");
    }));
});
