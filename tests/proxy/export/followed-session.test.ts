import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { FollowedSession } from "../../../extensions/proxy/export/followed-session.ts";
import { SessionReader } from "../../../extensions/proxy/storage/session-reader.ts";
import { SessionWriter } from "../../../extensions/proxy/storage/session-writer.ts";
import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { eventsOf } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { rounds } from "../../support/rounds.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const PLENTY = 1024 ** 3;

function follow(folder: string, endedAt: Instant | null = null): FollowedSession {
  const reader = unwrap(SessionReader.open(folder));
  return new FollowedSession(reader, { wasCutOff: false, endedAt }, null, 1_000);
}

function exchangesOf({ table }: Session) {
  const rows = Array.from({ length: table.nextRow - table.firstRow }, (_, index) => table.firstRow + index);
  return rows.map((row) => table.exchangeAt(row));
}

describe("followed session", (test) => {
  test("given a log that is written by and by, has the exchanges of the session that is recorded", async () => {
    const lengths = fc.array(fc.record({ lasts: fc.nat(400), flush: fc.boolean() }), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(lengths, (drawn) =>
        withFolder((folder) => {
          const writer = new SessionWriter(folder, PLENTY);
          const recorded = new Session();
          let followed: FollowedSession | null = null;
          const waiting: (readonly CaptureEvent[])[] = [];
          const capture = (events: readonly CaptureEvent[]) => {
            recorded.apply(events);
            writer.append(events);
          };
          for (const [index, { lasts, flush }] of drawn.entries()) {
            const [start, ...rest] = eventsOf(exchange({ id: index + 1, start: index * 50, end: index * 50 + lasts }));
            if (start !== undefined) capture([start]);
            waiting.push(rest);
            if (!flush) continue;
            for (const events of waiting.splice(0, waiting.length - 1)) capture(events);
            writer.flush();
            followed ??= follow(folder);
            followed.follow();
            assert.equal(exchangesOf(followed.session), exchangesOf(recorded));
          }
          followed?.reader.close();
          writer.close();
        }),
      ),
      { numRuns: rounds(30) },
    );
  });

  test("given a start that is written again because its batch was deleted, has the exchange once", () =>
    withFolder((folder) => {
      const writer = new SessionWriter(folder, PLENTY);
      const [start] = eventsOf(exchange({ id: 1, start: 0, end: 90_000 }));
      if (start !== undefined) writer.append([start]);
      writer.flush();
      const followed = follow(folder);
      writer.cap = 1;
      writer.append(eventsOf(exchange({ id: 2, start: 10, end: 20 })));
      writer.flush();
      writer.cap = PLENTY;
      writer.append(eventsOf(exchange({ id: 3, start: 30, end: 40 })));
      writer.flush();
      followed.follow();
      const ids = exchangesOf(followed.session).map(({ id }) => id);
      assert.equal([ids.filter((id) => id === 1), ids.includes(exchange({ id: 3 }).id)], [[1], true]);
      followed.reader.close();
      writer.close();
    }));

  test("given a session that has ended, ends then and reads no more", () =>
    withFolder((folder) => {
      const writer = new SessionWriter(folder, PLENTY);
      writer.append(eventsOf(exchange({ id: 1, start: 0, end: 20 })));
      writer.close();
      const followed = follow(folder, 50 as Instant);
      followed.follow();
      assert.equal([followed.session.endedAt, followed.session.exchanges], [50, 1]);
      followed.reader.close();
    }));
});
