import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { ImportedSession } from "../../../extensions/proxy/storage/imported-session.ts";
import { startOf } from "../../../extensions/proxy/storage/session-facts.ts";
import { SessionStore } from "../../../extensions/proxy/storage/sessions.ts";
import { listSessions, openSession } from "../../../extensions/proxy/storage/stored-sessions.ts";
import { describe } from "../../support/describe.ts";
import { problemOf } from "../../support/problem-of.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { openFilesIn } from "./open-files.ts";
import { addSession, countOf, opened, PLENTY, recorded } from "./small-sessions.ts";
import { exchange, idOf, moment, started } from "./story.ts";

describe("stored session folders", (test) => {
  test("given a session that ends, lists it as completed and reads it again after a restart", () =>
    withFolder(async (folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const id = store.startSession(moment(0));
      assert.equal(store.list(), []);
      store.append(exchange(1));
      store.flush();
      assert.is(store.describeSession(id, { name: "Checkout", notes: "slow since Monday" }), null);
      assert.equal(
        store.list().map(({ state, exchanges, name }) => [state, exchanges, name]),
        [["current", 1, "Checkout"]],
      );
      const facts = store.endSession(moment(500), { endpoints: [1] });
      assert.is(facts?.state, "completed");
      assert.equal(await openFilesIn(folder), []);
      const again = SessionStore.open(folder, PLENTY);
      assert.equal(again.list(), facts === null ? [] : [facts]);
      assert.equal(again.figuresOf(id), { endpoints: [1] });
      const reader = opened(folder, id);
      assert.is(countOf(reader), 1);
      reader.close();
    }));

  test("given a body cap, applies it to the current session, the next one and an import", () =>
    withFolder((folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const megabytes = exchange(1).flatMap((event) =>
        event.type === "body-captured" ? Array(8).fill({ ...event, bytes: Buffer.alloc(1024 * 1024) }) : [event],
      );
      const CAP = 2 * 1024 * 1024;
      const DATABASE = 500_000;
      const isHeld = (id: string) => assert.ok(store.sizeOf(id) < CAP + DATABASE, String(store.sizeOf(id)));
      for (const at of [0, 1_000]) {
        const id = store.startSession(moment(at));
        store.append(megabytes);
        store.flush();
        if (at === 0) {
          assert.ok(store.sizeOf(id) > 4 * CAP);
          store.sessionCap = CAP;
          store.flush();
        }
        isHeld(id);
        store.endSession(moment(at + 500), {});
      }
      const imported = new ImportedSession(store.importTarget(moment(2_000)));
      imported.append(megabytes);
      assert.is(imported.finish({ name: "a", startedAt: moment(0), endedAt: moment(1), baseline: false }, {}), null);
      isHeld(imported.id);
    }));

  test("given a session without an exchange, leaves nothing behind", () =>
    withFolder(async (folder) => {
      const store = SessionStore.open(folder, PLENTY);
      store.startSession(moment(0));
      store.flush();
      assert.is(store.endSession(moment(1), {}), null);
      assert.equal(await readdir(join(folder, "sessions")), []);
    }));

  test("given sessions that begin within one second, lists them in the order they began", () =>
    withFolder((folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const ids = Array.from({ length: 6 }, (_, index) => addSession(store, 1, index));
      assert.equal(
        store.list().map(({ id }) => id),
        ids,
      );
      assert.equal(
        ids.map((id) => startOf(id)),
        ids.map((_, index) => Math.floor(moment(index))),
      );
    }));

  test("given a name that is not a session's, uses it in no path", () =>
    withFolder(async (folder) => {
      const store = recorded(folder, 1);
      await writeFile(join(folder, "precious"), "");
      for (const name of ["", ".", "..", "../precious", "../..", "20261120T120000123-abcdef/../../precious"]) {
        store.deleteSession(name);
        store.dropExchanges(name);
        assert.is(store.figuresOf(name), null);
        assert.match(store.describeSession(name, { name: "x" }) ?? "", /There is no session/);
        assert.match(problemOf(openSession(folder, name)), /there is no session/);
      }
      assert.ok((await readdir(folder)).includes("precious"));
      assert.is(store.list().length, 1);
    }));

  test("given the current session, neither drops its exchanges nor deletes it", () =>
    withFolder((folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const id = store.startSession(moment(0));
      store.append(exchange(1));
      store.flush();
      store.deleteSession(id);
      store.dropExchanges(id);
      const reader = opened(folder, id);
      assert.is(countOf(reader), 1);
      reader.close();
      store.endSession(moment(1), null);
    }));

  test("given data over the cap, drops the oldest sessions' exchanges and returns those sessions", () =>
    withFolder((folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const ids = [1, 2, 3].map((day) => addSession(store, 200, day * 86_400_000));
      const most = 0.6 * ids.reduce((sum, id) => sum + store.sizeOf(id), 0);
      const { dropped } = store.prune(most, 50);
      assert.equal(
        dropped.map(({ id }) => id),
        ids.slice(0, dropped.length),
      );
      assert.ok(dropped.length > 0 && dropped.length < 3);
      assert.equal(
        store.list().map(({ kept }) => kept),
        ids.map((_, index) => index >= dropped.length),
      );
      assert.equal(store.prune(most, 50), { dropped: [], isOver: false });
      const { dropped: next } = store.prune(10_000, 50);
      assert.equal(
        next.map(({ id }) => id),
        ids.slice(dropped.length),
        "not those that went before",
      );
      assert.equal(
        [problemOf(store.openEnded(ids[0] ?? "")), problemOf(store.openEnded("20200101T000000000-000000"))],
        ["its exchanges are no longer kept", "it no longer exists"],
      );
    }));

  test(
    "given a current session above the cap by itself, deletes its oldest bodies for good",
    () =>
      withFolder((folder) => {
        const MiB = 1024 ** 2;
        const SPARE = 32 * MiB; // free pages, and the write-ahead log
        const store = SessionStore.open(folder, PLENTY);
        const id = store.startSession(moment(0));
        const record = (from: number) => {
          for (let number = from; number < from + 8; number += 1) store.append(exchange(number, Buffer.alloc(8 * MiB)));
          store.flush();
        };
        record(1);
        assert.equal(store.prune(200 * MiB, 50), { dropped: [], isOver: false });
        record(9);
        assert.ok(store.sizeOf(id) > 120 * MiB, "there is room for all");
        assert.equal(store.prune(96 * MiB, 50), { dropped: [], isOver: false });
        record(17);
        assert.ok(store.sizeOf(id) < 96 * MiB + SPARE, "what is captured next keeps within it too");
        const reader = opened(folder, id);
        assert.equal([reader.keptOf(idOf(1), "response"), reader.keptOf(idOf(24), "response")], [0, 8 * MiB]);
        assert.is(countOf(reader), 24);
        reader.close();
        assert.is(store.prune(1_000, 50).isOver, true, "the exchanges themselves stay");
        store.endSession(moment(1), null);
        assert.equal([store.prune(100_000, 50).isOver, store.sizeOf(id) < 100_000], [false, true]);
      }),
    { isLong: true },
  );

  test("given a current session whose folder is deleted, reports its exchanges as lost, and records on in a new one", () =>
    withFolder(async (folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const id = store.startSession(moment(0));
      for (const number of [1, 2]) store.append(exchange(number, Buffer.alloc(100_000)));
      store.append([started(3)]);
      store.flush();
      await rm(join(folder, "sessions"), { recursive: true });
      assert.is(store.flush().lost.exchanges, 2);
      store.append([...exchange(3).slice(1), ...exchange(4)]);
      assert.equal(store.flush(), { problem: null, lost: { exchanges: 2, messages: 0, bodies: 0 } });
      const reader = opened(folder, id);
      assert.equal(
        [countOf(reader), reader.headsOf(idOf(3)) === null, reader.keptOf(idOf(4), "response") > 0],
        [2, false, true],
      );
      reader.close();
      assert.equal(
        listSessions(folder).map((facts) => [facts.id, facts.state]),
        [[id, "current"]],
      );
      assert.is(store.saveSession({}), null);
      assert.is(store.endSession(moment(9), {})?.id, id);
      assert.is(store.list().length, 1);
    }));

  test("given figures that stay, drops as many sessions as the limit needs, and says that the folder is over it", () =>
    withFolder((folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const figures = "f".repeat(1_000_000);
      const ids = Array.from({ length: 3 }, (_, day) => {
        const id = addSession(store, 4, day * 86_400_000);
        assert.is(store.keepFigures(id, figures), null);
        return id;
      });
      const sizes = () => ids.reduce((sum, id) => sum + store.sizeOf(id), 0);
      const before = sizes();
      const exchanges = store.sizeOf(ids[0] ?? "") - figures.length;
      const most = before - Math.floor(exchanges * 1.5);
      assert.equal([store.prune(most, 50).dropped.length, sizes() <= most], [2, true]);
      const { dropped, isOver } = store.prune(figures.length * 2, 50);
      assert.equal([dropped.length, isOver, sizes() > figures.length * 3], [1, true, true]);
      assert.is(store.prune(figures.length * 2.5, 2).isOver, false);
    }));

  test("given 8 sessions, keeps the figures of the latest 5", () =>
    withFolder((folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const ids = Array.from({ length: 8 }, (_, day) => addSession(store, 1, day * 86_400_000));
      for (const id of ids.slice(0, 4)) store.dropExchanges(id);
      store.prune(PLENTY, 5);
      assert.equal(
        store.list().map(({ id }) => id),
        ids.slice(3),
      );
    }));
});
