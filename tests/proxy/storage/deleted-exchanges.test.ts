import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  DELETIONS_FILE,
  purgeDeleted,
  readDeletions,
  writeDeletions,
} from "../../../extensions/proxy/storage/deleted-exchanges.ts";
import { SessionReader } from "../../../extensions/proxy/storage/session-reader.ts";
import { SessionWriter } from "../../../extensions/proxy/storage/session-writer.ts";
import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import { annotationOf } from "../../../src/engine/model/annotation.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { answered, ended, idOf, message, piece, started } from "./story.ts";

const PLENTY = 1024 ** 3;
const NONE: ReadonlySet<ExchangeId> = new Set();

/** One exchange: its body is random, so that it can be looked for in the files. */
interface Drawn {
  readonly size: number;
  readonly isSplit: boolean;
  readonly isDeleted: boolean;
  readonly hasMessage: boolean;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  size: fc.oneof(fc.integer({ min: 16, max: 300 }), fc.integer({ min: 16, max: 60_000 })),
  isSplit: fc.boolean(),
  isDeleted: fc.boolean(),
  hasMessage: fc.boolean(),
});

/** A kept body in two batches, both of which lose an exchange. */
const SPLIT: readonly Drawn[] = [true, false, true].map((isDeleted) => {
  return { size: 16, isSplit: !isDeleted, isDeleted, hasMessage: false };
});

describe("purge of deleted exchanges", (test) => {
  test("given any exchanges, leaves no byte of the deleted ones in the files, and the others as they were", () =>
    fc.assert(
      fc.asyncProperty(fc.array(drawn, { minLength: 1, maxLength: 40 }), (all) =>
        withFolder(async (folder) => {
          const writer = new SessionWriter(folder, PLENTY);
          const bodies = all.map(({ size }) => randomBytes(size));
          record(writer, all, bodies);
          const deleted = new Set(all.flatMap(({ isDeleted }, index) => (isDeleted ? [idOf(index + 1)] : [])));
          const reader = unwrap(SessionReader.open(folder));
          const others = all.flatMap((one, index) => (one.isDeleted ? [] : [{ ...one, index }]));
          for (const { index } of others) assert.ok(reader.readBody(idOf(index + 1), "response", 0, PLENTY).ok);
          assert.is(
            writer.changeDeletions((ids) => {
              for (const id of deleted) ids.add(id);
            }),
            null,
          );
          assert.is(writer.exchanges, others.length);
          assert.equal(
            startsIn(reader),
            others.map(({ index }) => idOf(index + 1)),
          );
          assert.is(await purgeDeleted(folder, NONE, async () => {}), null);
          writer.recount();
          const files = filesIn(folder);
          for (const [index, body] of bodies.entries()) {
            const { isDeleted, hasMessage } = all[index] as Drawn;
            if (isDeleted) assert.not.ok(files.includes(body.subarray(0, 16)), "a deleted body is still in the files");
            // The same reader as before, whose logs and bytes are those before the purge.
            const read = isDeleted ? null : reader.readBody(idOf(index + 1), "response", 0, PLENTY);
            if (read !== null) assert.ok(read.ok && read.value.equals(body));
            if (!isDeleted && hasMessage)
              assert.equal(unwrap(reader.readMessage(idOf(index + 1), 0)), body.subarray(0, 16));
            if (!isDeleted) assert.match(reader.headsOf(idOf(index + 1))?.request ?? "", `/items/${index + 1}?`);
          }
          assert.is(readDeletions(folder).size, 0);
          assert.equal(
            annotatedIn(reader),
            others.map(({ index }) => idOf(index + 1)),
          );
          // Recording goes on in the same files.
          writer.append([started(1_000), answered(1_000), piece(1_000, Buffer.from("later")), ended(1_000)]);
          writer.flush();
          assert.equal(startsIn(reader), [...others.map(({ index }) => idOf(index + 1)), idOf(1_000)]);
          assert.is(String(unwrap(reader.readBody(idOf(1_000), "response", 0, PLENTY))), "later");
          assert.is(reader.problem, null);
          reader.close();
          writer.close();
        }),
      ),
      { numRuns: rounds(12), examples: [[SPLIT]] },
    ));

  test("given a kill after any batch, the next purge does the rest; what can be undone stays", () =>
    withFolder(async (folder) => {
      const all = Array.from({ length: 30 }, () => ({
        size: 100_000,
        isSplit: false,
        hasMessage: false,
        isDeleted: true,
      }));
      const writer = new SessionWriter(folder, PLENTY);
      const bodies = all.map(({ size }) => randomBytes(size));
      record(writer, all, bodies);
      writer.changeDeletions((ids) => {
        for (let number = 1; number <= 20; number += 1) ids.add(idOf(number));
      });
      writer.close();
      const killed = new Error("killed");
      const undoable = new Set([idOf(1), idOf(2)]);
      assert.match((await purgeDeleted(folder, undoable, () => Promise.reject(killed))) ?? "", /killed/);
      assert.is(readDeletions(folder).size, 20);
      const reader = unwrap(SessionReader.open(folder));
      assert.is(startsIn(reader).length, 10);
      reader.close();
      assert.is(await purgeDeleted(folder, undoable, async () => {}), null);
      assert.equal(readDeletions(folder), undoable);
      writeDeletions(folder, NONE);
      const again = unwrap(SessionReader.open(folder));
      assert.equal(startsIn(again), [1, 2, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30].map(idOf));
      for (const number of [1, 2, 21, 30])
        assert.ok(unwrap(again.readBody(idOf(number), "response", 0, PLENTY)).equals(bodies[number - 1] as Buffer));
      again.close();
    }));

  test("given bytes that were damaged before, they are still said to be damaged", () =>
    withFolder(async (folder) => {
      const writer = new SessionWriter(folder, PLENTY);
      const all = [true, false].map((isDeleted) => ({ size: 64, isSplit: false, hasMessage: false, isDeleted }));
      record(
        writer,
        all,
        all.map(({ size }) => randomBytes(size)),
      );
      writer.changeDeletions((ids) => void ids.add(idOf(1)));
      writer.close();
      const database = new DatabaseSync(join(folder, "session.sqlite"));
      database.exec("UPDATE bytes SET bytes = zeroblob(length(bytes))");
      database.close();
      assert.is(await purgeDeleted(folder, NONE, async () => {}), null);
      const reader = unwrap(SessionReader.open(folder));
      const read = reader.readBody(idOf(2), "response", 0, PLENTY);
      assert.match(read.ok ? "" : read.problem, /damaged/);
      reader.close();
    }));

  test("given a damaged log, keeps nothing of it", () =>
    withFolder(async (folder) => {
      const writer = new SessionWriter(folder, PLENTY);
      const all = [{ size: 64, isSplit: false, hasMessage: false, isDeleted: true }];
      const bodies = [randomBytes(64)];
      record(writer, all, bodies);
      writer.changeDeletions((ids) => void ids.add(idOf(1)));
      writer.close();
      const database = new DatabaseSync(join(folder, "session.sqlite"));
      database.exec("UPDATE batches SET log = zeroblob(length(log))");
      database.close();
      assert.is(await purgeDeleted(folder, NONE, async () => {}), null);
      assert.not.ok(filesIn(folder).includes(bodies[0]?.subarray(0, 16) as Buffer));
    }));

  test(
    "given more free bytes than are released in 25 steps, releases all of them",
    () =>
      withFolder(async (folder) => {
        const writer = new SessionWriter(folder, PLENTY);
        const all = [{ size: 64, isSplit: false, hasMessage: false, isDeleted: true }];
        record(writer, all, [randomBytes(64)]);
        writer.changeDeletions((ids) => void ids.add(idOf(1)));
        writer.close();
        const path = join(folder, "session.sqlite");
        const database = new DatabaseSync(path);
        database.exec("CREATE TABLE freed (bytes); INSERT INTO freed VALUES (zeroblob(120 * 1024 * 1024))");
        database.exec("DROP TABLE freed; PRAGMA wal_checkpoint(TRUNCATE)");
        database.close();
        assert.ok(statSync(path).size > 120 * 1024 ** 2);
        assert.is(await purgeDeleted(folder, NONE, async () => {}), null);
        assert.ok(statSync(path).size < 1024 ** 2);
      }),
    { isLong: true },
  );

  test("given a session whose files are gone, has nothing to do", () =>
    withFolder(async (folder) => {
      assert.is(await purgeDeleted(folder, NONE, async () => {}), null);
      writeDeletions(folder, new Set([idOf(1)]));
      for (const name of readdirSync(folder)) if (name !== "deleted.json") rmSync(join(folder, name));
      assert.is(await purgeDeleted(folder, NONE, async () => {}), null);
      assert.is(readDeletions(folder).size, 0);
    }));
});

function record(writer: SessionWriter, all: readonly Drawn[], bodies: readonly Buffer[]): void {
  for (const [index, { isSplit, hasMessage }] of all.entries()) {
    const number = index + 1;
    const body = bodies[index] as Buffer;
    const half = body.length >> 1;
    const first: CaptureEvent[] = [started(number), answered(number), piece(number, body.subarray(0, half))];
    writer.append(first);
    if (isSplit) writer.flush();
    if (hasMessage) writer.append([message(number, body.subarray(0, 16))]);
    writer.append([piece(number, body.subarray(half)), ended(number)]);
    writer.append([{ type: "body-decoded", id: idOf(number), size: body.length }]);
    writer.annotate(idOf(number), annotationOf("star", "seen"));
  }
  writer.flush();
}

function startsIn(reader: SessionReader): readonly ExchangeId[] {
  return [...reader.events(false)].flatMap((event) => (event.type === "request-started" ? [event.id] : []));
}

function annotatedIn(reader: SessionReader): readonly ExchangeId[] {
  return [...reader.annotations()].map(([id]) => id).sort((one, other) => one - other);
}

function filesIn(folder: string): Buffer {
  return Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));
}

describe("list of deleted exchanges", (test) => {
  test("given any ids, reads what was written, and none without a file", () =>
    withFolder((folder) => {
      assert.is(readDeletions(folder).size, 0);
      fc.assert(
        fc.property(fc.uniqueArray(fc.oneof(fc.nat(), fc.nat(30)), { maxLength: 40 }), (numbers) => {
          const ids = new Set(numbers.map(idOf));
          assert.is(writeDeletions(folder, ids), null);
          assert.equal(readDeletions(folder), ids);
          assert.is(existsSync(join(folder, DELETIONS_FILE)), ids.size > 0);
        }),
        { numRuns: rounds(20) },
      );
    }));

  test("given 2,000 ids in a row and one more, writes few bytes; given a list without ranges, reads it", () =>
    withFolder((folder) => {
      const path = join(folder, DELETIONS_FILE);
      const ids = new Set(Array.from({ length: 2_000 }, (_, at) => idOf(at + 3)).reverse()).add(idOf(1));
      assert.is(writeDeletions(folder, ids), null);
      assert.is(readFileSync(path, "utf8"), "[1,[3,2002]]");
      const read = readDeletions(folder);
      assert.is(read.size, ids.size);
      for (const id of ids) if (!read.has(id)) assert.unreachable(`${id} is missing`);
      writeFileSync(path, "[7,3,4]");
      assert.equal([...readDeletions(folder)], [7, 3, 4]);
      writeFileSync(path, `[[1,${Number.MAX_SAFE_INTEGER}],[1,${Number.MAX_SAFE_INTEGER}]]`);
      assert.is(readDeletions(folder, 1_000).size, 1_000);
    }));

  test("given a file that is no list of ids, reads none of it", () =>
    withFolder((folder) => {
      for (const text of ["{", "{}", '["1", null, 1.5, [1], ["1", 2], [3, 2]]']) {
        writeFileSync(join(folder, DELETIONS_FILE), text);
        assert.is(readDeletions(folder).size, 0);
      }
    }));
});
