import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { openForReading, openForWriting, waitForLock } from "../../../extensions/proxy/storage/session-database.ts";
import { FORMAT } from "../../../src/engine/capture/record.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";
import { withFolder } from "../../support/temporary-folder.ts";

describe("session database", (test) => {
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

  test("given a database with more or other things than Weir's tables, opens it in no way, and leaves it as it is", () =>
    withFolder(async (folder) => {
      const changes = [
        "ALTER TABLE parts RENAME TO hidden; CREATE VIEW parts AS SELECT * FROM hidden",
        "CREATE TRIGGER run AFTER INSERT ON batches BEGIN DELETE FROM batches; END",
        "CREATE TABLE more (value)",
        "CREATE INDEX more ON parts (message)",
        "ALTER TABLE facts ADD COLUMN more",
        "DROP TABLE annotations",
      ];
      for (const [index, change] of changes.entries()) {
        const own = join(folder, String(index));
        await mkdir(own, { mode: 0o700 });
        openForWriting(own).close();
        openForReading(own).close();
        const path = join(own, "session.sqlite");
        const database = new DatabaseSync(path);
        database.exec(change);
        database.close();
        const before = await readFile(path);
        assert.throws(() => openForWriting(own), /not a session of Weir/, change);
        assert.throws(() => openForReading(own), /not a session of Weir/, change);
        assert.ok(before.equals(await readFile(path)), change);
      }
    }));

  test("given another process that holds the lock, a writer waits for it before its end alone", () =>
    withFolder((folder) => {
      for (let time = 0; time < 2; time += 1) {
        const database = openForWriting(folder);
        const patience = () => Number(Object.values(database.prepare("PRAGMA busy_timeout").get() ?? {})[0]);
        assert.is(patience(), 0);
        waitForLock(database);
        assert.ok(patience() > 0);
        database.close();
      }
    }));
});
