import { cp, mkdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { CurrentSession } from "../../../../extensions/proxy/engine-thread/recording/current-session.ts";
import { PathGrouping } from "../../../../extensions/proxy/engine-thread/recording/path-grouping.ts";
import { SessionStore } from "../../../../extensions/proxy/storage/sessions.ts";
import { NOTHING_LOST } from "../../../../extensions/proxy/storage/store-status.ts";
import { unwrap } from "../../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import type { SessionFigures } from "../../../../src/engine/session/lists/figures.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { describe } from "../../../support/describe.ts";
import { rounds } from "../../../support/rounds.ts";
import { withFolder } from "../../../support/temporary-folder.ts";
import { answered, ended, exchange, idOf, moment, piece, started } from "../../storage/story.ts";

/** docs/specification.md, Clear: undo for 10 s. */
const UNDO_TIME = 10_000;
const IDLE_UNDO_TIME = 60_000;

function recording(folder: string) {
  const store = SessionStore.open(folder, 1024 ** 3);
  const settings = { ...DEFAULT_SETTINGS, groupSimilarPaths: false };
  const currentSession = new CurrentSession(store, new PathGrouping(() => settings, folder));
  return {
    store,
    currentSession,
    settings,
    record: (...numbers: number[]) => {
      for (const number of numbers) currentSession.addEvents(exchange(number));
    },
    trash: () => store.trash().map(({ state, exchanges, kept }) => [state, exchanges, kept]),
    states: () => store.list().map(({ state, exchanges, kept }) => [state, exchanges, kept]),
    figuresOf: (index: number) => store.figuresOf(store.list()[index]?.id ?? "") as SessionFigures | null,
    /** Makes this file of the current session unwritable, as on a full disk, until the returned function is called. */
    inTheWayOf: async (name: string) => {
      const path = join(folder, "sessions", store.current?.id ?? "", name);
      await mkdir(path, { recursive: true });
      return () => rmdir(path);
    },
  };
}

describe("start and end of the current session", (test) => {
  test("given a new session, stores it only with its first exchange", () =>
    withFolder((folder) => {
      const { currentSession, record, states } = recording(folder);
      currentSession.startNew(moment(0));
      assert.equal(currentSession.tick(moment(5)), { problem: null, lost: NOTHING_LOST });
      assert.equal(states(), []);
      record(1);
      currentSession.tick(moment(10));
      assert.equal(states(), [["current", 1, true]]);
      currentSession.finish(moment(20));
    }));

  test("given connections that outlast their session, has their facts in the next one, too, in memory and on disk", () =>
    withFolder((folder) => {
      const { currentSession } = recording(folder);
      const tls = null;
      const clientTls = { version: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256", alpn: "h2", resumed: false };
      currentSession.addEvents([
        { ...started(1), clientConnection: 3 },
        { type: "client-secured", connection: 3, at: moment(1), tls: clientTls },
        { type: "connection-opened", id: 7, at: moment(1), address: "10.0.0.1:443", tls },
        { ...ended(1), connection: 7 },
      ]);
      currentSession.startNew(moment(20));
      currentSession.addEvents([
        { ...started(2), clientConnection: 3 },
        { ...ended(2), connection: 7 },
      ]);
      assert.equal(currentSession.session.clientTlsOf(3), clientTls);
      assert.is(currentSession.session.connections.factsOf(7)?.address, "10.0.0.1:443");
      const stored = [...(currentSession.reader()?.events(false) ?? [])];
      assert.is(stored.filter(({ type }) => type === "connection-opened").length, 1);
      assert.is(stored.filter(({ type }) => type === "client-secured").length, 1);
      currentSession.finish(moment(30));
    }));

  test("given conditions, labels this session and the next, and leaves them out of the baseline", () =>
    withFolder((folder) => {
      const { currentSession, record, store } = recording(folder);
      const facts = () => store.list().map(({ notes, baseline }) => [notes, baseline]);
      const label = "Slowed on purpose: Slow 4G.";
      record(1);
      currentSession.slowed = "Slow 4G";
      currentSession.slowed = "Slow 4G";
      assert.equal(facts(), [[label, false]]);
      currentSession.startNew(moment(20));
      record(2);
      currentSession.slowed = null;
      currentSession.startNew(moment(40));
      record(3);
      assert.equal(facts(), [
        [label, false],
        [label, false],
        ["", true],
      ]);
      currentSession.finish(moment(60));
    }));

  test("given a session, it gets a title while it is recorded and when it ends, and a name given by hand stays", () =>
    withFolder(async (folder) => {
      const { currentSession, record, store } = recording(join(folder, "own"));
      const named = () => [...store.list(), ...store.trash()].map(({ name, title }) => [name, title]);
      record(1);
      currentSession.tick(moment(10));
      const [[, title] = []] = named();
      assert.match(title ?? "", /^shop\.example/);
      await cp(join(folder, "own"), join(folder, "copy"), { recursive: true });
      assert.is(SessionStore.open(join(folder, "copy"), 1024 ** 3).list()[0]?.title, title, "also after a kill");
      store.describeSession(store.current?.id ?? "", { name: "By hand" });
      currentSession.startNew(moment(20));
      record(2);
      currentSession.clear(moment(30));
      record(3);
      currentSession.finish(moment(40));
      assert.equal(named(), [
        ["By hand", title],
        ["", title],
        ["", title],
      ]);
    }));

  test("given marks before the first exchange and after it, the stored session has each change of the mark", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom("record", "A", "B"), { maxLength: 12 }), (steps) =>
        withFolder((folder) => {
          const { currentSession, record, store } = recording(folder);
          const expected: { at: number; mark: string }[] = [];
          for (const [index, step] of steps.entries()) {
            if (step === "record") {
              record(index + 1);
              continue;
            }
            if (expected.at(-1)?.mark !== step) expected.push({ at: moment(index), mark: step });
            currentSession.mark(step as "A" | "B", moment(index));
          }
          assert.equal(currentSession.session.changeMarks, expected);
          const ended = currentSession.startNew(moment(50));
          assert.equal(currentSession.session.changeMarks, []);
          assert.is(ended === null, !steps.includes("record"));
          if (ended === null) return;
          const again = new Session();
          const reader = unwrap(store.openEnded(ended));
          for (const event of reader.events(false)) again.apply([event]);
          reader.close();
          assert.equal(again.changeMarks, expected);
          currentSession.finish(moment(60));
        }),
      ),
      { numRuns: rounds(30) },
    ));

  test("given a row cap, applies it to the current session, an undone Clear and the next session", () =>
    withFolder((folder) => {
      const { currentSession, record } = recording(folder);
      record(1, 2, 3);
      currentSession.clear(moment(50));
      currentSession.setRowCap(2);
      assert.ok(currentSession.undoClear());
      assert.is(currentSession.session.forgotten, 1);
      record(4);
      assert.is(currentSession.session.forgotten, 2);
      currentSession.startNew(moment(100));
      record(5, 6, 7);
      assert.is(currentSession.session.forgotten, 1);
      currentSession.finish(moment(200));
    }));

  test("given similar paths, folds them after a while, and a later session from its first request on", () =>
    withFolder((folder) => {
      const settings = { ...DEFAULT_SETTINGS };
      const open = () => {
        const store = SessionStore.open(folder, 1024 ** 3);
        return new CurrentSession(store, new PathGrouping(() => settings, folder));
      };
      const asked = (currentSession: CurrentSession, number: number, name: string) =>
        currentSession.addEvents([started(number, { target: `/tags/${name}` }), answered(number), ended(number)]);
      const endpoints = ({ session }: CurrentSession) => session.tallies.counted().map(({ endpoint }) => endpoint);
      const first = open();
      for (let number = 1; number <= 20; number += 1)
        asked(first, number, `name-${"abcdefghijklmnopqrst"[number - 1]}`);
      assert.is(endpoints(first).length, 20);
      first.tick(moment(5_000));
      assert.equal(endpoints(first), ["GET https://shop.example/tags/{id}"]);
      first.finish(moment(6_000));
      const second = open();
      asked(second, 30, "never-seen");
      assert.equal(endpoints(second), ["GET https://shop.example/tags/{id}"]);
      for (let number = 31; number <= 70; number += 1) asked(second, number, "never-seen");
      second.tick(moment(20_000));
      assert.equal(
        endpoints(second),
        ["GET https://shop.example/tags/{id}"],
        "without siblings to compare it with, a name that is asked for often stays folded",
      );
      second.finish(moment(30_000));
    }));

  test("given New session, completes the old one with all its exchanges and starts another", () =>
    withFolder((folder) => {
      const { currentSession, record, states, figuresOf } = recording(folder);
      record(1, 2);
      currentSession.startNew(moment(100));
      record(3);
      currentSession.tick(moment(200));
      assert.equal(states(), [
        ["completed", 2, true],
        ["current", 1, true],
      ]);
      assert.is(figuresOf(0)?.counted, 2);
      assert.is(currentSession.session.exchanges, 1);
      currentSession.finish(moment(300));
    }));

  for (const name of ["figures.json", "session.sqlite"]) {
    test(`given a ${name} that cannot be written, refuses New session and records on without loss`, () =>
      withFolder(async (folder) => {
        const { store, currentSession, record, states, figuresOf, inTheWayOf } = recording(folder);
        record(1, 2);
        const makeWay = await inTheWayOf(name);
        const refusal = /^The current session could not be kept, so no new session was started\. .*\.$/;
        assert.throws(() => currentSession.startNew(moment(100)), refusal);
        record(3);
        currentSession.tick(moment(200));
        assert.equal([states(), currentSession.session.exchanges], [[["current", 3, true]], 3]);
        await makeWay();
        currentSession.startNew(moment(300));
        assert.equal([states(), figuresOf(0)?.counted], [[["completed", 3, true]], 3]);
        const reader = unwrap(store.openEnded(store.list()[0]?.id ?? ""));
        assert.ok([1, 2, 3].every((number) => reader.headsOf(idOf(number)) !== null));
        reader.close();
      }));
  }

  test(
    "given lost exchanges, reports those of the current session: not of a cleared one, and again after Undo",
    () =>
      withFolder(async (folder) => {
        const { currentSession, record, inTheWayOf } = recording(folder);
        record(1);
        const makeWay = await inTheWayOf("session.sqlite");
        currentSession.addEvents(exchange(2, Buffer.alloc(20 * 1024 ** 2)));
        currentSession.addEvents(exchange(3, Buffer.alloc(20 * 1024 ** 2)));
        const lost = () => currentSession.tick(moment(100)).lost.bodies;
        assert.is(lost(), 2, "the oldest");
        await makeWay();
        currentSession.clear(moment(100));
        record(4);
        assert.is(lost(), 0);
        currentSession.undoClear();
        assert.is(lost(), 2);
        currentSession.finish(moment(200));
      }),
    { isLong: true },
  );

  test("given a session.json that cannot be written, reports the problem until it can be", () =>
    withFolder(async (folder) => {
      const { currentSession, record, states, inTheWayOf } = recording(folder);
      record(1);
      const makeWay = await inTheWayOf("session.json");
      for (const _ of [1, 2]) assert.match(currentSession.tick(moment(50)).problem ?? "", /session\.json cannot .*\.$/);
      await makeWay();
      assert.is(currentSession.tick(moment(60)).problem, null);
      assert.equal(states(), [["current", 1, true]]);
      currentSession.finish(moment(100));
    }));

  test("given files that cannot be written at the end, reports the problem and stores the rest", () =>
    withFolder(async (folder) => {
      const { currentSession, record, states, inTheWayOf } = recording(folder);
      record(1);
      currentSession.tick(moment(50));
      await inTheWayOf("figures.json");
      assert.match(currentSession.finish(moment(100)) ?? "", /figures\.json.*EISDIR.*\.$/);
      assert.equal(states(), [["completed", 1, true]]);
      record(2);
      await inTheWayOf("session.sqlite");
      assert.match(currentSession.finish(moment(200)) ?? "", "cannot be written");
      record(3);
      assert.is(currentSession.finish(moment(300)), null);
    }));

  for (const name of ["figures.json", "session.json", "session.sqlite"]) {
    test(`given ${name} that cannot be written, Clear is refused, and the session is recorded further`, () =>
      withFolder(async (folder) => {
        const { currentSession, record, states, trash, inTheWayOf } = recording(folder);
        record(1, 2);
        const makeWay = await inTheWayOf(name);
        assert.throws(
          () => currentSession.clear(moment(100)),
          /^The session could not be put into the trash, so .*\.$/,
        );
        record(3);
        await makeWay();
        currentSession.tick(moment(200));
        assert.equal([states(), trash(), currentSession.session.exchanges], [[["current", 3, true]], [], 3]);
        const cleared = currentSession.clear(moment(300));
        assert.equal([trash(), currentSession.cleared], [[["completed", 3, true]], cleared]);
        currentSession.finish(moment(400));
      }));
  }

  test("given a Clear whose cut is old when it is told, it can be undone for as long as after any other", () =>
    withFolder((folder) => {
      const { currentSession, record } = recording(folder);
      record(1);
      const id = currentSession.clear(moment(100), moment(UNDO_TIME));
      record(2);
      currentSession.tick(moment(2 * UNDO_TIME - 1));
      assert.is(currentSession.cleared, id);
      currentSession.tick(moment(2 * UNDO_TIME));
      assert.is(currentSession.cleared, null);
      currentSession.finish(moment(2 * UNDO_TIME));
    }));

  test("given a Clear, an undo continues the session for 10 s, or for 60 s if no request has begun", () =>
    withFolder((folder) => {
      fc.assert(
        fc.property(
          fc.array(fc.tuple(fc.integer({ min: 0, max: 3 * UNDO_TIME }), fc.boolean()), { maxLength: 5 }),
          (looks) => {
            const { currentSession, record } = recording(folder);
            record(1);
            currentSession.clear(moment(0));
            let now = 0;
            let exchanges = 1;
            let canContinue = true;
            for (const [later, records] of looks) {
              now += later;
              if (records) record(++exchanges);
              currentSession.tick(moment(now));
              canContinue &&= now < (exchanges === 1 ? IDLE_UNDO_TIME : UNDO_TIME);
            }
            assert.is(currentSession.undoClear(), canContinue);
            if (canContinue) assert.is(currentSession.session.exchanges, exchanges);
            currentSession.finish(moment(now));
          },
        ),
        { numRuns: 20 },
      );
    }));

  test("given a Clear, the trash has the session as it was then, with its figures, in no list", () =>
    withFolder((folder) => {
      const { store, currentSession, record, states, trash } = recording(folder);
      record(1, 2);
      currentSession.annotate([[idOf(1), { mark: "star", comment: "" }]]);
      const [begun, ...rest] = exchange(3, Buffer.from("body"));
      if (begun !== undefined) currentSession.addEvents([begun]);
      const id = currentSession.clear(moment(100)) ?? "";
      assert.equal([currentSession.session.exchanges, currentSession.cleared], [0, id]);
      currentSession.addEvents(rest);
      record(4);
      currentSession.annotate([[idOf(4), { mark: "flag", comment: "" }]]);
      currentSession.tick(moment(100 + UNDO_TIME - 1));
      assert.equal([currentSession.reader()?.headsOf(idOf(1)), states()], [null, [["current", 1, true]]]);
      currentSession.tick(moment(100 + UNDO_TIME));
      assert.equal(
        [states(), trash(), currentSession.cleared],
        [[["current", 1, true]], [["completed", 3, true]], null],
      );
      const figures = store.figuresOf(id) as SessionFigures;
      assert.equal([figures.exchanges, figures.counted, currentSession.undoClear()], [3, 2, false]);
      assert.not(store.openEnded(id).ok, "it cannot be opened");
      assert.is(store.restoreSession(id), null);
      assert.equal(trash(), []);
      const reader = unwrap(store.openEnded(id));
      assert.equal(
        [1, 2, 3, 4].map((number) => reader.headsOf(idOf(number)) !== null),
        [true, true, true, false],
      );
      assert.is(reader.keptOf(idOf(3), "response"), 0, "what came after the Clear is in the next session");
      assert.equal([...reader.annotations()], [[1, { mark: "star", comment: "" }]]);
      reader.close();
      currentSession.finish(moment(20_000));
    }));

  test("given bodies captured after Clear, stores them unchanged, though their batch's memory is reused once it is on disk", () =>
    withFolder((folder) => {
      const { currentSession, record } = recording(folder);
      record(1);
      currentSession.clear(moment(100));
      const bytes = Buffer.from("as it came");
      const [begun, ...rest] = exchange(2).filter(({ type }) => type !== "body-captured");
      if (begun !== undefined) currentSession.addEvents([begun, piece(2, bytes), ...rest]);
      currentSession.tick(moment(200));
      bytes.fill("x");
      currentSession.tick(moment(100 + UNDO_TIME));
      const body = currentSession.reader()?.readBody(idOf(2), "response", 0, 100);
      assert.is(body?.ok && String(body.value), "as it came");
      currentSession.finish(moment(20_000));
    }));

  test("given an undone Clear, continues the session with everything captured meanwhile", () =>
    withFolder((folder) => {
      const { currentSession, record, states, figuresOf } = recording(folder);
      record(1, 2);
      const [begun, ...rest] = exchange(3);
      if (begun !== undefined) currentSession.addEvents([begun]);
      currentSession.clear(moment(100));
      currentSession.addEvents(rest);
      record(4);
      currentSession.tick(moment(150));
      assert.is(currentSession.session.exchanges, 1);
      assert.ok(currentSession.undoClear());
      assert.equal([currentSession.session.exchanges, currentSession.session.summary.counted], [4, 4]);
      currentSession.tick(moment(50_000));
      assert.equal([states(), figuresOf(0)], [[["current", 4, true]], null]);
      assert.ok([1, 2, 3, 4].every((number) => currentSession.reader()?.headsOf(idOf(number)) !== null));
      currentSession.finish(moment(60_000));
      assert.is(SessionStore.open(folder, 1024 ** 3).list().length, 1, "of what began since there is no trace");
    }));

  test("given grouping that is turned on before Clear is undone, groups the restored session", () =>
    withFolder((folder) => {
      const { currentSession, record, settings } = recording(folder);
      record(1, 2);
      currentSession.clear(moment(100));
      settings.groupSimilarPaths = true;
      currentSession.regroup();
      assert.ok(currentSession.undoClear());
      assert.is.not(currentSession.session.templates, null);
      currentSession.finish(moment(200));
    }));

  test("given a crash after an undone Clear, recovers all exchanges", () =>
    withFolder(async (folder) => {
      const { currentSession, record } = recording(join(folder, "own"));
      record(1, 2);
      currentSession.clear(moment(100));
      record(3);
      currentSession.undoClear();
      currentSession.tick(moment(150));
      await cp(join(folder, "own"), join(folder, "copy"), { recursive: true });
      const found = SessionStore.open(join(folder, "copy"), 1024 ** 3).list();
      assert.equal(
        found.map(({ state, exchanges, kept }) => [state, exchanges, kept]),
        [["recovered", 3, true]],
      );
      currentSession.finish(moment(200));
    }));

  test("given a kill after everything was written, but before the figures, the session is not cut off", () =>
    withFolder(async (folder) => {
      const { currentSession, record } = recording(join(folder, "own"));
      record(1, 2);
      currentSession.complete(moment(100));
      await cp(join(folder, "own"), join(folder, "copy"), { recursive: true });
      const store = SessionStore.open(join(folder, "copy"), 1024 ** 3);
      assert.is(store.recovered, null);
      const [found] = store.list();
      assert.equal([found?.state, found?.exchanges, found?.endedAt], ["completed", 2, moment(100)]);
      assert.is(store.figuresOf(found?.id ?? ""), null);
      currentSession.finish(moment(200));
      const [ended] = SessionStore.open(join(folder, "own"), 1024 ** 3).list();
      assert.equal([ended?.state, ended?.exchanges], ["completed", 2]);
    }));

  test("given annotations while Clear can be undone, keeps them with and without the undo", () =>
    withFolder((folder) => {
      const { store, currentSession, record } = recording(folder);
      const kept = () => [...(currentSession.reader()?.annotations() ?? [])];
      const shown = () => [
        ...currentSession.session.table.annotations.at(currentSession.session.table.rowOf(idOf(2)) ?? -1).comment,
      ];
      record(1);
      currentSession.annotate([[idOf(1), { mark: "star", comment: "" }]]);
      currentSession.clear(moment(100));
      record(2);
      currentSession.annotate([[idOf(2), { mark: null, comment: "x" }]]);
      assert.ok(currentSession.undoClear());
      assert.equal(shown(), ["x"]);
      currentSession.clear(moment(200));
      record(3);
      currentSession.annotate([[idOf(3), { mark: "flag", comment: "" }]]);
      currentSession.tick(moment(200 + UNDO_TIME));
      assert.equal(kept(), [[3, { mark: "flag", comment: "" }]]);
      assert.is(store.trash().length, 1);
      currentSession.finish(moment(50_000));
    }));

  test("given a client's name, stores it in each session with its connection and in no other", () =>
    withFolder((folder) => {
      const { currentSession } = recording(folder);
      const curl = { type: "client-named", connection: 7, program: "curl" } as const;
      const come = (number: number, clientConnection: number) =>
        currentSession.addEvents([started(number, { clientConnection }), ended(number)]);
      const named = (number: number) => currentSession.session.exchange(idOf(number))?.program;
      const stored = () => [...(currentSession.reader()?.events(false) ?? [])].filter(({ type }) => type === curl.type);
      currentSession.name([curl]);
      come(1, 7);
      come(2, 7);
      assert.equal([named(1), named(2), stored()], ["curl", "curl", [curl]]);
      currentSession.startNew(moment(50));
      come(3, 8);
      assert.equal([named(3), stored()], [null, []]);
      come(4, 7);
      assert.equal([named(4), stored()], ["curl", [curl]]);
      // A name that arrives later.
      currentSession.name([8, 9].map((connection) => ({ ...curl, connection })));
      assert.is(named(3), "curl");
      assert.is(stored().length, 2);
      const again = new Session();
      again.apply([...(currentSession.reader()?.events(false) ?? [])]);
      assert.equal(
        [3, 4].map((number) => again.exchange(idOf(number))?.program),
        ["curl", "curl"],
      );
      currentSession.finish(moment(60));
    }));

  test("given a client's name before or after Clear, keeps it with and without the undo", () =>
    withFolder((folder) => {
      const { currentSession } = recording(folder);
      const named = (number: number) => currentSession.session.exchange(idOf(number))?.program;
      const stored = () => {
        const events = [...(currentSession.reader()?.events(false) ?? [])];
        return new Set(events.flatMap((event) => (event.type === "client-named" ? [event.connection] : [])));
      };
      currentSession.addEvents([started(1, { clientConnection: 1 }), started(2, { clientConnection: 2 })]);
      currentSession.name([{ type: "client-named", connection: 1, program: "curl" }]);
      currentSession.clear(moment(100));
      currentSession.addEvents([started(3, { clientConnection: 1 })]);
      currentSession.name([{ type: "client-named", connection: 2, program: "node" }]);
      assert.is(named(3), "curl");
      assert.ok(currentSession.undoClear());
      assert.equal([1, 2, 3].map(named), ["curl", "node", "curl"]);
      assert.equal(stored(), new Set([1, 2]));
      currentSession.clear(moment(200));
      currentSession.addEvents([started(4, { clientConnection: 1 })]);
      currentSession.tick(moment(200 + UNDO_TIME));
      assert.is(named(4), "curl");
      assert.equal(stored(), new Set([1]));
      currentSession.finish(moment(50_000));
    }));

  test("given an open event stream, counts it where it began: after Clear, undo, New session, restart", () =>
    withFolder((folder) => {
      const first = recording(folder);
      const counted = ({ currentSession }: Pick<typeof first, "currentSession"> = first) => {
        const { counted, errors } = currentSession.session.summary;
        return [counted, errors];
      };
      const type = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
      const stand = (number: number) =>
        first.currentSession.addEvents([started(number), { ...answered(number), head: type }]);
      const cut = (number: number) => ended(number, "client-aborted", ["event-stream"]);
      stand(1);
      first.currentSession.clear(moment(100));
      stand(2);
      assert.equal(counted(), [1, 0]);
      first.currentSession.addEvents([cut(1)]);
      assert.equal(counted(), [1, 0]);
      assert.ok(first.currentSession.undoClear());
      assert.equal(counted(), [2, 1]);
      first.currentSession.clear(moment(200));
      stand(3);
      first.currentSession.tick(moment(200 + UNDO_TIME));
      const cleared = first.store.figuresOf(first.store.trash()[0]?.id ?? "") as SessionFigures;
      assert.equal([cleared.counted, cleared.errors], [2, 1]);
      first.currentSession.startNew(moment(20_000));
      assert.equal([first.figuresOf(0)?.counted, counted()], [1, [0, 0]]);
      first.currentSession.addEvents([cut(2), cut(3)]);
      stand(4);
      first.currentSession.tick(moment(21_000));
      // Only the engine thread has ended.
      const store = SessionStore.open(folder, 1024 ** 3, true);
      const again = { currentSession: new CurrentSession(store, null) };
      assert.equal(counted(again), [1, 0]);
      again.currentSession.addEvents([cut(4)]);
      assert.equal(counted(again), [1, 1]);
      again.currentSession.finish(moment(22_000));
    }));

  test("given a second Clear, makes the first final; given nothing captured, has nothing to undo", () =>
    withFolder((folder) => {
      const { currentSession, record, states, trash } = recording(folder);
      assert.is(currentSession.clear(moment(0)), null);
      assert.not(currentSession.undoClear());
      record(1);
      currentSession.clear(moment(100));
      record(2);
      currentSession.clear(moment(200));
      assert.ok(currentSession.undoClear());
      assert.is(currentSession.session.exchange(idOf(2))?.id, idOf(2));
      currentSession.tick(moment(300));
      assert.equal([trash(), states()], [[["completed", 1, true]], [["current", 1, true]]]);
      currentSession.finish(moment(400));
    }));

  test("given a kill after Clear, the session is in the trash, and what was captured since is there", () =>
    withFolder(async (folder) => {
      const first = recording(folder);
      const [begun, ...rest] = exchange(2);
      first.record(1);
      if (begun !== undefined) first.currentSession.addEvents([begun]);
      first.currentSession.clear(moment(100));
      first.currentSession.addEvents(rest);
      first.record(3);
      first.currentSession.tick(moment(200));
      // No event ends it.
      for (const goesOn of [true, false]) {
        const copy = `${folder}-${goesOn}`;
        await cp(folder, copy, { recursive: true });
        const store = SessionStore.open(copy, 1024 ** 3, goesOn);
        const [[cleared], [next]] = [store.trash(), store.list()];
        assert.equal([store.trash().length, store.list().length], [1, 1]);
        assert.equal([cleared?.state, cleared?.exchanges, cleared?.kept], ["completed", 2, true]);
        assert.equal([next?.state, next?.exchanges, next?.kept], [goesOn ? "current" : "recovered", 1, true]);
        assert.is((store.figuresOf(cleared?.id ?? "") as SessionFigures).exchanges, 2);
        store.endSession(moment(300), {});
        await rm(copy, { recursive: true });
      }
      first.currentSession.finish(moment(300));
    }));

  test("given a Clear that can be undone, counts as written only what both sessions have on disk", () =>
    withFolder((folder) => {
      const { currentSession } = recording(folder);
      currentSession.addEvents([...exchange(1), started(2)], 1);
      currentSession.tick(moment(50));
      assert.is(currentSession.written, 1);
      currentSession.clear(moment(100));
      currentSession.addEvents([ended(2)], 2);
      assert.is(currentSession.written, 1);
      currentSession.addEvents(exchange(3), 3);
      assert.ok(currentSession.written < 3);
      currentSession.tick(moment(150));
      assert.is(currentSession.written, 3);
      currentSession.finish(moment(200));
    }));
});
