import { join } from "node:path";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { StoredHistory, storedArchive } from "../../../../extensions/proxy/engine-thread/recording/stored-history.ts";
import { keptFiguresOf, StoredFigures } from "../../../../extensions/proxy/export/stored-figures.ts";
import { SessionReader } from "../../../../extensions/proxy/storage/session-reader.ts";
import { SessionWriter } from "../../../../extensions/proxy/storage/session-writer.ts";
import { SessionStore } from "../../../../extensions/proxy/storage/sessions.ts";
import { unwrap } from "../../../../src/engine/model/result.ts";
import { figuresOf } from "../../../../src/engine/session/lists/figures.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { eventsOf } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { recorded } from "../../../support/recorded.ts";
import { rounds } from "../../../support/rounds.ts";
import { withFolder } from "../../../support/temporary-folder.ts";
import { idOf, message, moment, started } from "../../storage/story.ts";

const MIB = 1024 ** 2;
const PLENTY = 1024 ** 3;

describe("stored history", (test) => {
  test("given 15 completed sessions, the baseline is the latest 10 that are large enough and not left out", () =>
    withFolder((folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const ids = Array.from({ length: 15 }, (_, day) => completed(store, day, day === 13 ? 4 : 5));
      store.describeSession(ids[14] ?? "", { baseline: false });
      const history = historyOf(store);
      assert.equal(
        history.baseline.sessions.map(({ id }) => id),
        ids.slice(3, 13),
        "the 14th is too small, the 15th was left out by hand",
      );
      assert.equal(
        history.baseline.figures.seriesOf(statsOf(5), "latency"),
        [104, 105, 106, 107, 108, 109, 110, 111, 112, 113].map((value) => value - 1),
      );
      store.describeSession(ids[14] ?? "", { baseline: true });
      assert.is(history.baseline.sessions.at(-1)?.id, ids[14]);
    }));

  test("given a stored session, its baseline contains only earlier sessions", () =>
    withFolder((folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const ids = [0, 1, 2, 3].map((day) => completed(store, day, 5));
      const history = new StoredHistory(store, figures(store), () => new Session(), ids[2] ?? "");
      assert.equal(
        history.baseline.sessions.map(({ id }) => id),
        ids.slice(0, 2),
      );
    }));

  test("given dropped exchanges, keeps a session in the baseline; given its deletion, removes it", () =>
    withFolder((folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const ids = [0, 1].map((day) => completed(store, day, 5));
      const history = historyOf(store);
      store.dropExchanges(ids[0] ?? "");
      assert.is(history.baseline.sessions.length, 2);
      store.deleteSession(ids[0] ?? "");
      assert.equal(
        history.baseline.sessions.map(({ id }) => id),
        ids.slice(1),
      );
    }));

  test("given a session that changes, computes its figures anew at most every 5 s, and those of another at once", () =>
    withFolder((folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const pauses = fc.array(fc.integer({ min: 0, max: 6_000 }), { minLength: 1, maxLength: 20 });
      fc.assert(
        fc.property(pauses, (drawn) => {
          let session = new Session();
          const history = new StoredHistory(store, figures(store), () => session, null);
          let [now, computedAt, counted] = [0, Number.NEGATIVE_INFINITY, 0];
          for (const [index, pause] of drawn.entries()) {
            session.apply(eventsOf(exchange({ id: index + 1, target: "/a" })));
            now += pause;
            if (now >= computedAt + 5_000) [computedAt, counted] = [now, session.exchanges];
            assert.is(history.current(moment(now)).exchanges, counted);
          }
          assert.is(history.current(moment(now + 5_000)).exchanges, drawn.length);
          session = new Session();
          assert.is(history.current(moment(now)).exchanges, 0);
        }),
      );
    }));
});

describe("a session's archive", (test) => {
  test("given messages of any size, previews each once, and reads of large ones few in one slice", async () => {
    const sizes = fc.array(fc.oneof(fc.nat(2_000), fc.nat(MIB)), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(sizes, (drawn) =>
        withFolder((folder) => {
          const writer = new SessionWriter(join(folder, "s"), PLENTY);
          writer.append([started(1), ...drawn.map((size, index) => message(1, Buffer.alloc(size, index)))]);
          writer.close();
          const reader = unwrap(SessionReader.open(join(folder, "s")));
          let read = 0;
          const readMessage = reader.readMessage.bind(reader);
          reader.readMessage = (id, index) => {
            read += drawn[index] ?? 0;
            return readMessage(id, index);
          };
          const archive = storedArchive(() => reader);
          for (let isPrepared = false, before = 0; !isPrepared; before = read) {
            isPrepared = archive.prepareMessages(idOf(1), 0, 500);
            assert.ok(read - before <= 2 * MIB, `${read - before} bytes in one slice`);
          }
          for (let time = 0; time < 2; time += 1)
            assert.equal(
              archive.messagesOf(idOf(1), 0, 500).map(({ preview }) => preview),
              drawn.map((size, index) =>
                Buffer.alloc(Math.min(size, 170), index)
                  .toString("hex")
                  .replaceAll(/(..)(?=.)/g, "$1 "),
              ),
            );
          assert.is(
            read,
            drawn.reduce((sum, size) => sum + size, 0),
          );
          reader.close();
        }),
      ),
      { numRuns: rounds(10) },
    );
  });
});

function sessionOf(requests: number, latency: number): Session {
  return recorded(
    Array.from({ length: requests }, (_, index) => exchange({ id: index + 1, target: "/a", end: latency })),
  );
}

function statsOf(requests: number) {
  const [stats] = figuresOf(sessionOf(requests, 1)).endpoints;
  if (stats === undefined) throw new Error("no row");
  return stats;
}

/** A session of that day, whose requests took 100 ms plus one for each day. */
function completed(store: SessionStore, day: number, requests: number): string {
  const id = store.startSession(moment(day * 86_400_000));
  const session = sessionOf(requests, 100 + day);
  for (let number = 1; number <= requests; number += 1) {
    store.append(eventsOf(exchange({ id: number, target: "/a", end: 100 + day })));
  }
  store.endSession(moment(day * 86_400_000 + 1), keptFiguresOf(session));
  return id;
}

function figures(store: SessionStore): StoredFigures {
  return new StoredFigures((id) => store.figuresOf(id));
}

function historyOf(store: SessionStore): StoredHistory {
  return new StoredHistory(store, figures(store), () => new Session(), null);
}
