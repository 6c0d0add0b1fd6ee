import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { EXPORT_TABLES } from "../../../src/engine/messages/messages.ts";
import { recorded } from "../../proxy/storage/small-sessions.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const EXPORT = fileURLToPath(new URL("../../../scripts/export.ts", import.meta.url));

interface Exported {
  readonly code: number | null;
  readonly complaint: string;
}

/** `npm run export` of a folder, whose reader may leave before it has read anything. */
async function exported(folder: string, readerLeaves = false): Promise<Exported> {
  const { code, complaint } = await exportedWith(["--data-dir", folder, "--format", "har"], readerLeaves);
  return { code, complaint };
}

async function exportedWith(words: readonly string[], readerLeaves = false): Promise<Exported & { text: string }> {
  const child = spawn(process.execPath, [EXPORT, ...words]);
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
  test("ends well where its reader has had enough", () =>
    withFolder(async (folder) => {
      recorded(folder, 5);
      assert.equal(await exported(folder, true), { code: 0, complaint: "" });
    }));

  test("writes every table of a session that takes a while to look through", () =>
    withFolder(async (folder) => {
      recorded(folder, 2_000);
      for (const table of EXPORT_TABLES) {
        const words = ["--data-dir", folder, "--table", table, "--format", "json"];
        const { code, complaint, text } = await exportedWith(words);
        assert.equal([code, complaint], [0, ""], table);
        assert.ok(Array.isArray(JSON.parse(text)), table);
      }
    }));

  test("leaves settings that cannot be read to Weir, which may be running", () =>
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
