import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { openForReading, openForWriting } from "../../../extensions/proxy/storage/session-database.ts";
import { FORMAT } from "../../../src/engine/capture/record.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";
import { withFolder } from "../../support/temporary-folder.ts";

describe("a session's database", (test) => {
  test("given a database of another format, opens it neither for writing nor for reading, and leaves it as it is", () =>
    withFolder(async (folder) => {
      let round = 0;
      const other = fc.integer({ min: 0, max: 2 ** 31 - 1 }).filter((format) => format !== FORMAT);
      await fc.assert(
        fc.asyncProperty(other, async (format) => {
          round += 1;
          const own = join(folder, String(round));
          await mkdir(own, { mode: 0o700 });
          openForWriting(own).close();
          const path = join(own, "session.sqlite");
          const database = new DatabaseSync(path);
          database.exec(`PRAGMA user_version = ${format}`);
          database.close();
          const before = await readFile(path);
          assert.throws(() => openForWriting(own), /another version of Weir/);
          assert.throws(() => openForReading(own), /another version of Weir/);
          assert.ok(before.equals(await readFile(path)));
        }),
        { numRuns: rounds(10) },
      );
    }));
});
