import { cp, mkdir, readdir, readFile, truncate, utimes, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { openForWriting } from "../../../extensions/proxy/storage/session-database.ts";
import { SessionStore } from "../../../extensions/proxy/storage/sessions.ts";
import { listSessions, openSession } from "../../../extensions/proxy/storage/stored-sessions.ts";
import { FORMAT } from "../../../src/engine/capture/record.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { killed, recorder, waitForCount } from "./recorder.ts";
import { addSession, countOf, opened, PLENTY, recorded } from "./small-sessions.ts";
import { exchange, idOf, moment } from "./story.ts";

/** Every file below the folder, by path. */
async function contentsOf(folder: string): Promise<Record<string, string>> {
  const contents: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) contents[relative(folder, path)] = await readFile(path, "latin1");
  }
  return contents;
}

describe("recovery of unfinished sessions", (test) => {
  test("given kill -9 in each of four rounds, recovers everything that was flushed", () =>
    withFolder(async (folder) => {
      for (let round = 1; round <= 4; round += 1) {
        const child = recorder(folder);
        const flushed = await waitForCount(child, round * 3);
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
      assert.is(body.ok ? body.value.toString() : body.problem, "long");
      assert.is(reader.messageCount(idOf(1)), 1);
      const small = reader.readBody(idOf(2), "response", 0, 100);
      assert.is(small.ok ? small.value.toString() : small.problem, "body 2");
      reader.close();
    }));

  test("given a session that cannot be recovered, sets it aside and starts", () =>
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

  test("given sessions of another format, sets them all aside as they are, and says so once", () =>
    withFolder(async (folder) => {
      let round = 0;
      const other = fc.integer({ min: 1, max: 1_000 }).filter((format) => format !== FORMAT);
      const sessions = fc.array(fc.boolean(), { minLength: 1, maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(other, sessions, async (format, interrupted) => {
          round += 1;
          const own = join(folder, String(round));
          const store = SessionStore.open(own, PLENTY);
          const path = join(own, "sessions");
          for (const [at, isInterrupted] of interrupted.entries()) {
            const id = addSession(store, 3, at * 10_000);
            const file = join(path, id, "session.json");
            const facts = { ...JSON.parse(await readFile(file, "utf8")), version: format };
            const cut = isInterrupted ? { state: "current", endedAt: null } : {};
            await writeFile(file, JSON.stringify({ ...facts, ...cut }));
          }
          const before = await contentsOf(path);
          assert.equal(listSessions(own), [], "as other processes see it");
          const again = SessionStore.open(own, PLENTY);
          const aside = `${path}.unusable-1`;
          assert.equal(again.notices, [
            `Sessions of another version of Weir cannot be read; they are kept as ${aside}.`,
          ]);
          assert.equal(again.list(), []);
          assert.equal(await contentsOf(aside), before, "nothing is changed or deleted");
          const id = addSession(again, 2, 0);
          assert.equal(
            SessionStore.open(own, PLENTY)
              .list()
              .map((facts) => [facts.id, facts.exchanges]),
            [[id, 2]],
          );
        }),
        { numRuns: rounds(10) },
      );
    }));

  test("given sessions of another format that cannot be set aside, changes none of them", () =>
    withFolder(async (folder) => {
      const id = recorded(folder, 3).list()[0]?.id ?? "";
      const path = join(folder, "sessions");
      const file = join(path, id, "session.json");
      await writeFile(file, (await readFile(file, "utf8")).replace(/"version":\d+/, '"version":1'));
      for (let count = 1; count < 1_000; count += 1) await mkdir(`${path}.unusable-${count}`);
      const before = await contentsOf(path);
      const store = SessionStore.open(folder, PLENTY);
      assert.is(store.notices.length, 1);
      assert.equal([store.list(), await contentsOf(path)], [[], before]);
    }));

  test("given several sessions without an end, continues the latest if readable and recovers the others", () =>
    withFolder(async (folder) => {
      for (const [at, sound] of [true, false].entries()) {
        const place = join(folder, String(at));
        const ids: string[] = [];
        for (const number of [1, 2, 3]) {
          const one = SessionStore.open(join(folder, `${at}-${number}`), PLENTY);
          const id = one.startSession(moment(number * 1_000));
          ids.push(id);
          one.append(exchange(number));
          one.flush();
          one.writer?.close();
          await cp(join(folder, `${at}-${number}`, "sessions", id), join(place, "sessions", id), { recursive: true });
        }
        const [latest = ""] = ids.slice(-1);
        if (!sound) await writeFile(join(place, "sessions", latest, "session.sqlite"), "no database");
        const store = SessionStore.open(place, PLENTY, true);
        assert.equal(
          store.list().map(({ id, state }) => [id, state]),
          [...ids.slice(0, -1).map((id) => [id, "recovered"]), ...(sound ? [[latest, "current"]] : [])],
        );
        assert.is(store.current?.id ?? null, sound ? latest : null);
        assert.is(store.recovered, ids[1], "the latest of those that ended so");
        const elsewhere = listSessions(place).map(({ state }) => state);
        assert.equal(elsewhere, ["recovered", "recovered", ...(sound ? ["current"] : [])], "as other processes see it");
        for (const [position, left] of [ids[1], null].entries()) {
          store.deleteSession(ids[position] ?? "");
          assert.is(store.recovered, left, "it is told of as long as it is there");
        }
        store.endSession(moment(9_000), {});
      }
    }));

  test("given a session that was cut off, it ended at its last write, but not before its start if the clock was set back", () =>
    withFolder(async (folder) => {
      const first = SessionStore.open(folder, PLENTY);
      const id = first.startSession(moment(0));
      first.append(exchange(1));
      first.flush();
      const facts = await readFile(join(folder, "sessions", id, "session.json"));
      for (const [written, ended] of [
        [5_000, 5_000],
        [-3_600_000, 0],
      ] as const) {
        for (const name of ["session.sqlite", "session.sqlite-wal"])
          await utimes(join(folder, "sessions", id, name), new Date(), moment(written) / 1_000);
        const [again] = SessionStore.open(folder, PLENTY).list();
        assert.is(again?.state, "recovered");
        assert.ok(Math.abs((again?.endedAt ?? 0) - moment(ended)) < 1, String(again?.endedAt));
        await writeFile(join(folder, "sessions", id, "session.json"), facts);
      }
      first.writer?.close();
    }));

  test("given temporary files that a crash left in a session, removes them", () =>
    withFolder(async (folder) => {
      const [facts] = recorded(folder, 7).list();
      const path = join(folder, "sessions", facts?.id ?? "");
      const before = await readdir(path);
      for (const name of [".session.json.0123456789ab.tmp", ".figures.json.ba9876543210.tmp"])
        await writeFile(join(path, name), "{");
      SessionStore.open(folder, PLENTY);
      assert.equal(await readdir(path), before);
    }));

  test("given damaged facts, rebuilds them from the database", () =>
    withFolder(async (folder) => {
      const [facts] = recorded(folder, 7).list();
      await writeFile(join(folder, "sessions", facts?.id ?? "", "session.json"), '{"startedAt":"x"}');
      const [again] = SessionStore.open(folder, PLENTY).list();
      assert.is(again?.state, "recovered");
      assert.is(again?.exchanges, 7);
      assert.is(again?.startedAt, Math.floor((facts?.startedAt ?? 0) / 1_000) * 1_000);
    }));

  test("given facts with one wrong field, rebuilds them all from the database", () =>
    withFolder(async (folder) => {
      const [facts] = recorded(folder, 7).list();
      const path = join(folder, "sessions", facts?.id ?? "", "session.json");
      const wrong = { startedAt: "x", endedAt: "x", state: "odd", name: 5, notes: null, exchanges: "7", kept: "yes" };
      for (const [key, value] of Object.entries(wrong)) {
        await writeFile(path, JSON.stringify({ ...facts, name: "edited", [key]: value }));
        const [again] = SessionStore.open(folder, PLENTY).list();
        assert.equal([again?.state, again?.name, again?.exchanges, again?.kept], ["recovered", "", 7, true], key);
      }
    }));

  test("given a session cut off before its first exchange, removes it", () =>
    withFolder(async (folder) => {
      SessionStore.open(folder, PLENTY);
      const place = join(folder, "sessions", "20261120T120000123-1a2b3c");
      await mkdir(place);
      openForWriting(place).close();
      const store = SessionStore.open(folder, PLENTY);
      assert.equal([store.list(), store.recovered, store.notices], [[], null, []]);
      assert.equal(await readdir(join(folder, "sessions")), []);
    }));

  test("given flipped bits or a cut file, still opens the store and reads without a crash", () =>
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
        const opened = openSession(folder, id);
        if (!opened.ok) continue;
        const reader = opened.value;
        countOf(reader);
        for (let number = 1; number <= 400; number += 50) {
          reader.headsOf(idOf(number));
          reader.readBody(idOf(number), "response", 0, 100);
        }
        reader.close();
      }
    }));
});
