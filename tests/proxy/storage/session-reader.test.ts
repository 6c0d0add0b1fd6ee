import { randomBytes } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { openForReading } from "../../../extensions/proxy/storage/session-database.ts";
import { newLogPosition, SessionReader } from "../../../extensions/proxy/storage/session-reader.ts";
import { SessionWriter } from "../../../extensions/proxy/storage/session-writer.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { eventsOf, instant } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { rounds } from "../../support/rounds.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const PLENTY = 1024 ** 3;

describe("session reader", (test) => {
  test("given exchanges to look up ahead, reads what it reads without, also of others", async () => {
    const flushes = fc.array(fc.boolean(), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(flushes, fc.nat(29), fc.nat(29), (drawn, one, other) =>
        withFolder((folder) => {
          const writer = new SessionWriter(folder, PLENTY);
          for (const [index, flush] of drawn.entries()) {
            writer.append(eventsOf(exchange({ id: index + 1, start: index * 10, end: index * 10 + 9 })));
            if (flush) writer.flush();
          }
          writer.flush();
          const [plain, ahead] = [unwrap(SessionReader.open(folder)), unwrap(SessionReader.open(folder))];
          const ids = drawn.map((_, index) => (index + 1) as ExchangeId);
          ahead.readAhead(ids.slice(Math.min(one, other), Math.max(one, other)));
          for (const id of ids) {
            const heads = plain.headsOf(id);
            assert.ok(heads?.response);
            assert.equal(ahead.headsOf(id), heads);
          }
          for (const opened of [plain, ahead]) opened.close();
          writer.close();
        }),
      ),
      { numRuns: rounds(20) },
    );
  });

  test("given 5,000 messages of one exchange, says after each 1,000 events that a batch was read", () =>
    withFolder((folder) => {
      const writer = new SessionWriter(folder, PLENTY);
      const [started, ...others] = eventsOf(exchange({ id: 1 }));
      const message = { type: "message-captured", id: 1 as ExchangeId, at: instant(1), side: "request" } as const;
      const bytes = new Uint8Array(1);
      if (started !== undefined) writer.append([started]);
      for (let count = 0; count < 5_000; count += 1)
        writer.append([{ ...message, kind: "text", size: 1, bytes, cut: false }]);
      writer.append(others);
      writer.flush();
      const reader = unwrap(SessionReader.open(folder));
      const batches = Array.from(reader.batches(false), (events) => events.length);
      assert.equal(batches, [1, 0, 0, 0, 0, others.length]);
      reader.close();
      writer.close();
    }));

  test("given bodies that alternate between two batches, reads the bytes of each batch once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ minLength: 1 }), { minLength: 1, maxLength: 20 }), (bodies) =>
        withFolder((folder) => {
          const writer = new SessionWriter(folder, PLENTY);
          for (const index of bodies.keys()) writer.append(eventsOf(exchange({ id: index + 1, end: null })));
          for (const side of ["request", "response"] as const) {
            for (const [index, bytes] of bodies.entries())
              writer.append([{ type: "body-captured", id: (index + 1) as ExchangeId, side, bytes }]);
            writer.flush();
          }
          let read = 0;
          const database = watched(folder, () => {
            read += 1;
          });
          const reader = new SessionReader(folder, database);
          for (const [index, bytes] of bodies.entries())
            for (const side of ["request", "response"] as const)
              assert.equal(new Uint8Array(unwrap(reader.readBody((index + 1) as ExchangeId, side, 0, 1_000))), bytes);
          assert.is(read, 2);
          reader.close();
          writer.close();
        }),
      ),
      { numRuns: rounds(20) },
    );
  });

  test("given a large body, reads less than 1 MiB of it in each turn of the event loop, and all of it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(4 * 1024 ** 2), fc.nat(4 * 1024 ** 2), (size, count) =>
        withFolder(async (folder) => {
          const body = randomBytes(size);
          const writer = new SessionWriter(folder, PLENTY);
          writer.append(eventsOf(exchange({ id: 1, end: null })));
          writer.append([{ type: "body-captured", id: 1 as ExchangeId, side: "response", bytes: body }]);
          writer.close();
          let [inTurn, most] = [0, 0];
          const database = watched(folder, (bytes) => {
            inTurn += bytes;
            most = Math.max(most, inTurn);
          });
          const reader = new SessionReader(folder, database);
          // Before the reader's own immediate, and so between each of its turns and the next.
          let next = setImmediate(function again() {
            inTurn = 0;
            next = setImmediate(again);
          });
          const read = await reader.readBodyInTurns(1 as ExchangeId, "response", count);
          clearImmediate(next);
          assert.ok(unwrap(read).equals(body.subarray(0, count)));
          assert.ok(most < 1024 ** 2, `${most} bytes in one turn`);
          reader.close();
        }),
      ),
      { numRuns: rounds(10) },
    );
  });

  test("given a place in the log, reads only what was written after it", () =>
    withFolder((folder) => {
      const writer = new SessionWriter(folder, PLENTY);
      const place = newLogPosition();
      const seen: (readonly number[])[] = [];
      writer.append(eventsOf(exchange({ id: 1, start: 0, end: 9 })));
      writer.flush();
      const reader = unwrap(SessionReader.open(folder));
      for (const id of [2, 3, 4]) {
        seen.push(
          [...reader.batchesAfter(place)].flat().flatMap((event) => (event.type === "exchange-ended" ? event.id : [])),
        );
        writer.append(eventsOf(exchange({ id, start: id * 10, end: id * 10 + 9 })));
        writer.flush();
      }
      assert.equal(seen, [[1], [2], [3]]);
      reader.close();
      writer.close();
    }));
});

/** The session's database; `onRead` gets the number of bytes when those of a batch are read. */
function watched(folder: string, onRead: (bytes: number) => void): DatabaseSync {
  const database = openForReading(folder);
  const prepare = database.prepare.bind(database);
  database.prepare = (text) => {
    const statement = prepare(text);
    const get = statement.get.bind(statement);
    statement.get = (batch: unknown) => {
      const row = get(batch as number);
      if (row?.["bytes"] instanceof Uint8Array) onRead(row["bytes"].length);
      return row;
    };
    return statement;
  };
  return database;
}
