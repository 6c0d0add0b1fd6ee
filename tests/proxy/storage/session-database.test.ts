import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import type { SessionReader } from "../../../extensions/proxy/storage/session-reader.ts";
import { SessionStore } from "../../../extensions/proxy/storage/sessions.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { countOf, opened, PLENTY } from "./small-sessions.ts";
import { answered, exchange, idOf, moment, started } from "./story.ts";

const VERSION_5 = fileURLToPath(new URL("../../fixtures/session-5", import.meta.url));
const VERSION_4 = fileURLToPath(new URL("../../fixtures/session-4", import.meta.url));
const VERSION_3 = fileURLToPath(new URL("../../fixtures/session-3", import.meta.url));
const VERSION_2 = fileURLToPath(new URL("../../fixtures/session-2", import.meta.url));
const VERSION_1 = fileURLToPath(new URL("../../fixtures/session-1", import.meta.url));

describe("sessions of earlier versions", (test) => {
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
});
