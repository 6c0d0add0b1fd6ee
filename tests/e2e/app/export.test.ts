import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { recorded } from "../../proxy/storage/small-sessions.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const EXPORT = fileURLToPath(new URL("../../../scripts/export.ts", import.meta.url));

/** `npm run export` of a folder, whose reader may leave before it has read anything. */
async function exported(folder: string, readerLeaves = false): Promise<{ code: number | null; complaint: string }> {
  const child = spawn(process.execPath, [EXPORT, "--data-dir", folder, "--format", "har"]);
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  if (readerLeaves) child.stdout.destroy();
  else child.stdout.resume();
  const [code] = (await once(child, "close")) as [number | null];
  return { code, complaint };
}

describe("npm run export", (test) => {
  test("ends well where its reader has had enough", () =>
    withFolder(async (folder) => {
      recorded(folder, 5);
      assert.equal(await exported(folder, true), { code: 0, complaint: "" });
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
