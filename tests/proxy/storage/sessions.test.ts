import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { cp, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { startOf } from "../../../extensions/proxy/storage/session-facts.ts";
import type { SessionReader } from "../../../extensions/proxy/storage/session-reader.ts";
import { listSessions, openSession, SessionStore } from "../../../extensions/proxy/storage/sessions.ts";
import { NO_REMARK } from "../../../src/engine/model/remark.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { answered, exchange, idOf, moment, started } from "./story.ts";

const CHILD = fileURLToPath(new URL("./recording-child.ts", import.meta.url));
const PLENTY = 1024 ** 3;
const VERSION_5 = fileURLToPath(new URL("../../fixtures/session-5", import.meta.url));
const VERSION_4 = fileURLToPath(new URL("../../fixtures/session-4", import.meta.url));
const VERSION_3 = fileURLToPath(new URL("../../fixtures/session-3", import.meta.url));
const VERSION_2 = fileURLToPath(new URL("../../fixtures/session-2", import.meta.url));
const VERSION_1 = fileURLToPath(new URL("../../fixtures/session-1", import.meta.url));

function opened(folder: string, id: string): SessionReader {
  const reader = openSession(folder, id);
  if (typeof reader === "string") throw new Error(reader);
  return reader;
}

function countOf(reader: SessionReader): number {
  let count = 0;
  for (const event of reader.events(true)) if (event.type === "exchange-ended") count += 1;
  return count;
}

/** A store whose one session holds `count` small exchanges and has ended. */
function recorded(folder: string, count: number): SessionStore {
  const store = SessionStore.open(folder, PLENTY);
  addSession(store, count, 0);
  return store;
}

function addSession(store: SessionStore, count: number, at: number): string {
  const id = store.startSession(moment(at));
  for (let number = 1; number <= count; number += 1) store.append(exchange(number));
  store.endSession(moment(at + 1_000), { endpoints: count });
  return id;
}

function recorder(folder: string): ChildProcess {
  return fork(CHILD, [folder], { execArgv: ["--no-warnings"] });
}

async function said(child: ChildProcess, times: number): Promise<number> {
  let last = 0;
  for (let count = 0; count < times; count += 1) last = Number((await once(child, "message"))[0]);
  return last;
}

async function killed(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

describe("sessions on disk", (test) => {
  test("a session is current, then completed, and is read again with its figures after a restart", () =>
    withFolder((folder) => {
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
      const again = SessionStore.open(folder, PLENTY);
      assert.equal(again.list(), facts === null ? [] : [facts]);
      assert.equal(again.figuresOf(id), { endpoints: [1] });
      const reader = opened(folder, id);
      assert.is(countOf(reader), 1);
      reader.close();
    }));

  test("a session without an exchange leaves no trace", () =>
    withFolder(async (folder) => {
      const store = SessionStore.open(folder, PLENTY);
      store.startSession(moment(0));
      store.flush();
      assert.is(store.endSession(moment(1), {}), null);
      assert.equal(await readdir(join(folder, "sessions")), []);
    }));

  test("sessions that begin within one second are in the order they began", () =>
    withFolder((folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const ids = Array.from({ length: 20 }, (_, index) => addSession(store, 1, index));
      assert.equal(
        store.list().map(({ id }) => id),
        ids,
      );
      assert.equal(
        ids.map((id) => startOf(id)),
        ids.map((_, index) => Math.floor(moment(index))),
      );
    }));

  test("dropping exchanges keeps the figures, deleting a session keeps nothing", () =>
    withFolder(async (folder) => {
      const store = recorded(folder, 3);
      const [facts] = store.list();
      const id = facts?.id ?? "";
      store.dropExchanges(id);
      assert.equal((await readdir(join(folder, "sessions", id))).sort(), ["figures.json", "session.json"]);
      assert.equal(store.list(), [{ ...facts, kept: false }]);
      assert.equal(store.figuresOf(id), { endpoints: 3 });
      assert.type(openSession(folder, id), "string");
      store.deleteSession(id);
      assert.equal(store.list(), []);
    }));

  test("what is said of an exchange is there after a restart, also when it is said of an ended session", () =>
    withFolder((folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const id = store.startSession(moment(0));
      store.append(exchange(1));
      store.append(exchange(2));
      store.remark([
        [idOf(1), { mark: "star", comment: "" }],
        [idOf(2), { mark: null, comment: "look “here”\u0000\n😀" }],
      ]);
      store.endSession(moment(9), null);
      const again = SessionStore.open(folder, PLENTY);
      const reader = opened(folder, id); // stays open: a page shows it
      assert.equal(
        [...reader.remarks()],
        [
          [1, { mark: "star", comment: "" }],
          [2, { mark: null, comment: "look “here”\u0000\n😀" }],
        ],
      );
      assert.is(
        again.remarkEnded(id, [
          [idOf(1), NO_REMARK],
          [idOf(2), { mark: "flag", comment: "later" }],
        ]),
        null,
      );
      reader.close();
      const later = opened(folder, id);
      assert.equal([...later.remarks()], [[2, { mark: "flag", comment: "later" }]]);
      assert.is(countOf(later), 2);
      later.close();
      again.dropExchanges(id);
      assert.match(again.remarkEnded(id, [[idOf(1), NO_REMARK]]) ?? "", /no longer kept/);
    }));

  test("a session of the first version is read as it is, and takes remarks", () =>
    withFolder(async (folder) => {
      const id = "20261120T120000000-5f4a12";
      const place = join(folder, "sessions", id);
      await cp(VERSION_1, place, { recursive: true });
      const store = SessionStore.open(folder, PLENTY);
      assert.equal(
        store.list().map((facts) => [facts.id, facts.exchanges]),
        [[id, 3]],
      );
      const before = await readFile(join(place, "session.sqlite"));
      const reader = opened(folder, id);
      assert.equal([countOf(reader), [...reader.remarks()], reader.problem], [3, [], null]);
      const part = reader.readBody(idOf(2), "response", 0, 100);
      assert.ok(part.kind === "bytes" && part.bytes.toString() === "body 2");
      reader.close();
      assert.ok(before.equals(await readFile(join(place, "session.sqlite"))));
      assert.is(store.remarkEnded(id, [[idOf(3), { mark: "check", comment: "" }]]), null);
      const after = opened(folder, id);
      assert.equal([countOf(after), [...after.remarks()]], [3, [[3, { mark: "check", comment: "" }]]]);
      after.close();
    }));

  test("a session of version 2 is read as it is: its streams are absent, what is written next has them", () =>
    withFolder(async (folder) => {
      const id = "20261120T120000000-5f4a12";
      const place = join(folder, "sessions", id);
      await cp(VERSION_2, place, { recursive: true });
      const store = SessionStore.open(folder, PLENTY);
      const before = await readFile(join(place, "session.sqlite"));
      const reader = opened(folder, id);
      const ends = [...reader.events(true)].filter((event) => event.type === "exchange-ended");
      assert.equal(
        ends.map(({ connection, stream, waitedFor }) => [connection, stream, waitedFor]),
        [7, 7, 7].map((connection) => [connection, null, null]),
      );
      assert.equal([[...reader.remarks()], reader.problem], [[[2, { mark: "star", comment: "seen" }]], null]);
      reader.close();
      assert.ok(before.equals(await readFile(join(place, "session.sqlite"))));
      assert.is(store.remarkEnded(id, [[idOf(3), { mark: "check", comment: "" }]]), null);
      const after = opened(folder, id);
      assert.equal([countOf(after), [...after.remarks()].length], [3, 2]);
      after.close();
    }));

  for (const [version, fixture, id] of [
    [3, VERSION_3, "20261120T120000000-ce1f0d"],
    [4, VERSION_4, "20261120T120000000-47262e"],
    [5, VERSION_5, "20261120T120000000-65bf8a"],
  ] as const) {
    test(`a session of version ${version} is read as it is, with its messages, and goes on beside them`, () =>
      withFolder(async (folder) => {
        const place = join(folder, "sessions", id);
        await cp(fixture, place, { recursive: true });
        const contents = (reader: SessionReader) => {
          const ends = [...reader.events(true)].filter((event) => event.type === "exchange-ended");
          const messages = reader
            .readMessages(idOf(2), 0, 9)
            .map(({ index, side, size, kept }) => [index, side, size, kept]);
          const payload = reader.readMessage(idOf(2), 1);
          return {
            streams: ends.map(({ id: number, stream }) => [number, stream]),
            messages: [reader.messageCount(idOf(2)), messages, payload.kind === "bytes" && payload.bytes.toString()],
            remarks: [...reader.remarks()],
            problem: reader.problem,
          };
        };
        const expected = {
          streams: [
            [1, null],
            [2, 9],
            [3, null],
          ],
          messages: [
            2,
            [
              [0, "request", 5, 5],
              [1, "response", 8, 8],
            ],
            "and back",
          ],
          remarks: [[2, { mark: "star", comment: "seen" }]],
          problem: null,
        };
        const before = await readFile(join(place, "session.sqlite"));
        const reader = opened(folder, id);
        assert.equal(contents(reader), expected);
        reader.close();
        assert.ok(before.equals(await readFile(join(place, "session.sqlite"))));
        const facts = JSON.parse(await readFile(join(place, "session.json"), "utf8"));
        await writeFile(join(place, "session.json"), JSON.stringify({ ...facts, state: "current", endedAt: null }));
        const store = SessionStore.open(folder, PLENTY, true);
        store.append(exchange(4));
        const goesOn = store.writer?.reader();
        if (goesOn === null || goesOn === undefined) throw new Error("nothing was written");
        assert.equal(contents(goesOn), { ...expected, streams: [...expected.streams, [4, null]] });
        assert.is(store.endSession(moment(9_000), {})?.exchanges, 4);
        const reader4 = opened(folder, id);
        assert.equal(reader4.headsOf(idOf(4)), { request: started(4).head, response: answered(4).head });
        reader4.close();
      }));
  }

  test("no name but that of a session is made part of a path", () =>
    withFolder(async (folder) => {
      const store = recorded(folder, 1);
      await writeFile(join(folder, "precious"), "");
      for (const name of ["", ".", "..", "../precious", "../..", "20261120T120000123-abcdef/../../precious"]) {
        store.deleteSession(name);
        store.dropExchanges(name);
        assert.is(store.figuresOf(name), null);
        assert.match(store.describeSession(name, { name: "x" }) ?? "", /There is no session/);
        assert.type(openSession(folder, name), "string");
      }
      assert.ok((await readdir(folder)).includes("precious"));
      assert.is(store.list().length, 1);
    }));

  test("the current session can be neither dropped nor deleted", () =>
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

  test("over the folder's cap the oldest sessions lose their exchanges, and are told", () =>
    withFolder((folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const ids = [1, 2, 3].map((day) => addSession(store, 200, day * 86_400_000));
      const most = 0.6 * ids.reduce((sum, id) => sum + store.sizeOf(id), 0);
      const dropped = store.prune(most, 50);
      assert.equal(
        dropped.map(({ id }) => id),
        ids.slice(0, dropped.length),
      );
      assert.ok(dropped.length > 0 && dropped.length < 3);
      assert.equal(
        store.list().map(({ kept }) => kept),
        ids.map((_, index) => index >= dropped.length),
      );
      assert.equal(store.prune(most, 50), []);
    }));

  test("figures of the latest 50 sessions remain", () =>
    withFolder((folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const ids = Array.from({ length: 53 }, (_, day) => addSession(store, 1, day * 86_400_000));
      for (const id of ids.slice(0, 10)) store.dropExchanges(id);
      store.prune(PLENTY, 50);
      assert.equal(
        store.list().map(({ id }) => id),
        ids.slice(3),
      );
    }));

  test(
    "after a kill -9 everything that was flushed is there as a recovered session, round after round",
    () =>
      withFolder(async (folder) => {
        for (let round = 1; round <= 4; round += 1) {
          const child = recorder(folder);
          const flushed = await said(child, round * 3);
          await killed(child);
          const store = SessionStore.open(folder, PLENTY);
          assert.equal(store.notices, []);
          const list = store.list();
          assert.equal(
            list.map(({ state }) => state),
            new Array(round).fill("recovered"),
          );
          const exchanges = Math.max(...list.map((facts) => facts.exchanges));
          assert.ok(exchanges >= flushed, `${exchanges} of ${flushed}`);
        }
        const latest = SessionStore.open(folder, PLENTY).list().at(-1)?.id ?? "";
        const reader = opened(folder, latest);
        const body = reader.readBody(idOf(1), "response", 2, 4);
        assert.is(body.kind === "bytes" ? body.bytes.toString() : body.reason, "long");
        assert.is(reader.messageCount(idOf(1)), 1);
        const small = reader.readBody(idOf(2), "response", 0, 100);
        assert.is(small.kind === "bytes" ? small.bytes.toString() : small.reason, "body 2");
        reader.close();
      }),
    { limit: 120_000 },
  );

  test("another process reads what was flushed while the recording goes on", () =>
    withFolder(async (folder) => {
      const child = recorder(folder);
      try {
        const before = await said(child, 3);
        const [facts] = listSessions(folder);
        assert.is(facts?.state, "current");
        const reader = opened(folder, facts?.id ?? "");
        assert.ok(countOf(reader) >= before);
        const later = await said(child, 2);
        assert.ok(countOf(reader) >= later);
        assert.equal(reader.headsOf(idOf(5))?.request, started(5).head);
        assert.is(reader.problem, null);
        reader.close();
      } finally {
        await killed(child);
      }
    }));

  test("a session that cannot be recovered is set aside, and the start goes on", () =>
    withFolder(async (folder) => {
      const store = recorded(folder, 300);
      const id = store.list()[0]?.id ?? "";
      const path = join(folder, "sessions", id);
      const database = await readFile(join(path, "session.sqlite"));
      const newer = new DatabaseSync(join(folder, "newer"));
      newer.exec("PRAGMA user_version = 99; PRAGMA application_id = 1466264946; CREATE TABLE a (b)");
      newer.close();
      const foreign = new DatabaseSync(join(folder, "foreign"));
      foreign.exec("CREATE TABLE a (b)");
      foreign.close();
      const bad = [
        Buffer.from("not a database at all, but long enough to be read as one ".repeat(100)),
        Buffer.from(database).fill(0xff, 0, 100),
        await readFile(join(folder, "newer")),
        await readFile(join(folder, "foreign")),
      ];
      for (const [index, bytes] of bad.entries()) {
        const other = `20270101T000000000-00000${index}`;
        const copy = join(folder, "sessions", other);
        await cp(path, copy, { recursive: true });
        await writeFile(join(copy, "session.sqlite"), bytes);
        await writeFile(join(copy, "session.json"), "{");
        const again = SessionStore.open(folder, PLENTY);
        assert.is(again.notices.length, 1, String(index));
        assert.match(again.notices[0] ?? "", /could not be read: .*kept as .*unusable-1/);
        assert.ok((await readFile(join(`${copy}.unusable-1`, "session.sqlite"))).equals(bytes));
        assert.equal(
          again.list().map((facts) => facts.id),
          [id],
        );
      }
    }));

  test("damaged facts are made anew from the database", () =>
    withFolder(async (folder) => {
      const [facts] = recorded(folder, 7).list();
      await writeFile(join(folder, "sessions", facts?.id ?? "", "session.json"), '{"startedAt":"x"}');
      const [again] = SessionStore.open(folder, PLENTY).list();
      assert.is(again?.state, "recovered");
      assert.is(again?.exchanges, 7);
      assert.is(again?.startedAt, Math.floor((facts?.startedAt ?? 0) / 1_000) * 1_000);
    }));

  test("bytes flipped and files cut anywhere stop neither the start nor the reading", () =>
    withFolder(async (folder) => {
      const id = recorded(folder, 400).list()[0]?.id ?? "";
      const path = join(folder, "sessions", id, "session.sqlite");
      const sound = await readFile(path);
      for (let round = 0; round < 40; round += 1) {
        const bytes = Buffer.from(sound);
        for (let flip = 0; flip < 200; flip += 1) {
          const at = (round * 7_919 + flip * 104_729) % bytes.length;
          bytes[at] = (bytes[at] ?? 0) ^ (1 << (flip % 8));
        }
        await writeFile(path, bytes);
        if (round % 4 === 0) await truncate(path, Math.floor((sound.length * round) / 40));
        const store = SessionStore.open(folder, PLENTY);
        assert.equal(
          store.list().map((facts) => facts.id),
          [id],
        );
        const reader = openSession(folder, id);
        if (typeof reader === "string") continue;
        countOf(reader);
        for (let number = 1; number <= 400; number += 50) {
          reader.headsOf(idOf(number));
          reader.readBody(idOf(number), "response", 0, 100);
        }
        reader.close();
      }
    }));
});
