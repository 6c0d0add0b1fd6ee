import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import { HarImport } from "../../../extensions/proxy/import-thread/har-import.ts";
import { SessionReader } from "../../../extensions/proxy/storage/session-reader.ts";
import { SessionStore } from "../../../extensions/proxy/storage/sessions.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { instant } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { zipOf } from "../../support/made-zip.ts";
import { problemOf } from "../../support/problem-of.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const START = '{"log":{"version":"1.2","creator":{"name":"t","version":"1"},"entries":[';

const SAID: Readonly<Record<number, object>> = { 2: { comment: "look", _mark: "star" } };

function entry(number: number): string {
  return JSON.stringify({
    startedDateTime: "2026-03-01T10:00:00.000Z",
    time: 120,
    request: { method: "GET", url: `https://kept.test/${number}`, httpVersion: "HTTP/1.1", headers: [] },
    response: { status: 200, httpVersion: "HTTP/1.1", headers: [], content: { size: 4, text: `text of ${number}` } },
    timings: { send: 0, wait: 100, receive: 20 },
  });
}

/** The store, and the folder of an incomplete import. */
async function withImports(
  body: (stage: { begin(name: string): HarImport; readonly store: SessionStore; kept(): number }) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    const store = SessionStore.open(folder, 1024 ** 3);
    const sessions = join(folder, "sessions");
    const kept = () => {
      const unfinished = readdirSync(sessions).find((name) => name.endsWith(".import"));
      const opened = SessionReader.open(join(sessions, unfinished ?? "none"));
      if (!opened.ok) return 0;
      const reader = opened.value;
      const ended = [...reader.events(false)].filter(({ type }) => type === "exchange-ended").length;
      reader.close();
      return ended;
    };
    await body({ begin: (name) => begun(store, name), store, kept });
  });
}

function begun(store: SessionStore, name: string): HarImport {
  return new HarImport({ target: store.importTarget(instant(0)), name, baseline: true, grouping: null });
}

async function take(one: HarImport, text: string, last: boolean) {
  return unwrap(await one.addPiece(Buffer.from(text), last));
}

/** The problem of a last piece. */
async function refusalOf(one: HarImport, text: string, encoding: BufferEncoding = "utf8"): Promise<string> {
  return problemOf(await one.addPiece(Buffer.from(text, encoding), true));
}

describe("HAR import thread", (test) => {
  test("given a long file in pieces, stores each complete entry before the reply to its piece", () =>
    withImports(async ({ begin, kept }) => {
      const one = begin("long.har");
      await take(one, START, false);
      for (let number = 1; number <= 40; number += 1) {
        const whole = `${number === 1 ? "" : ","}${entry(number)}`;
        const begun = await take(one, whole.slice(0, 60), false);
        assert.is(begun.exchanges, number - 1);
        const { exchanges } = await take(one, whole.slice(60), false);
        assert.equal([exchanges, kept()], [number, number]);
      }
      const { session } = await take(one, "]}}", true);
      assert.type(session, "string");
    }));

  test("given an entry above 64 MB, leaves it out, counts it and imports the others", () =>
    withImports(async ({ begin, store }) => {
      const one = begin("large.har");
      await take(one, `${START}${entry(1)},{"_webSocketMessages":["`, false);
      const million = "x".repeat(1_000_000);
      for (let piece = 0; piece < 70; piece += 1) await take(one, million, false);
      const done = await take(one, `"]},${entry(2)}]}}`, true);
      assert.equal([done.exchanges, done.leftOutCount], [2, 1]);
      assert.equal(done.leftOut, [{ entry: 2, reason: "it is larger than 64 MB" }]);
      assert.equal(
        store.list().map(({ exchanges }) => exchanges),
        [2],
      );
    }));

  test("given a session that cannot be stored, refuses with a sentence and leaves nothing behind", () =>
    withFolder(async (folder) => {
      const store = SessionStore.open(folder, 1024 ** 3);
      const one = begun(store, "a.har");
      await take(one, START + entry(1), false);
      const sessions = join(folder, "sessions");
      const [unfinished = ""] = readdirSync(sessions);
      const place = unfinished.replace(".import", "");
      mkdirSync(join(sessions, place, "in the way"), { recursive: true });
      assert.match(await refusalOf(one, "]}}"), /^The session could not be stored: .+/);
      assert.equal(readdirSync(sessions), [place]);
    }));

  test("given a file without a readable entry, refuses it and says what is wrong with the first entry", () =>
    withImports(async ({ begin, kept }) => {
      const refusal = async (entries: string) => {
        const one = begin("none.har");
        return refusalOf(one, `${START}${entries}]}}`);
      };
      const nothing = "The file holds no exchange.";
      assert.is(await refusal(""), nothing);
      const noRequest = entry(1).replace("https:", "data:");
      assert.is(
        await refusal(`${noRequest},{}`),
        `${nothing} Entry 1: request.url is not an HTTP or WebSocket URL: "data://kept.test/1".`,
      );
      assert.is(await refusal(`{},${noRequest}`), `${nothing} Entry 1: startedDateTime is not a date: nothing.`);
      assert.is(kept(), 0);
    }));

  test("given unreadable entries, lists each with number and reason; the others' ids are their numbers", () =>
    withImports(async ({ begin, store }) => {
      const one = begin("odd.har");
      const odd = [entry(1), "null", '{"a":tru}', entry(2), '{"request":{}}', "[1]", entry(3)];
      const done = await take(one, `${START}${odd.join(",")}]}}`, true);
      assert.equal([done.exchanges, done.leftOutCount], [3, 4]);
      assert.equal(done.leftOut, [
        { entry: 2, reason: "it is not an object: null" },
        { entry: 3, reason: 'it is not JSON: {"a":tru}' },
        { entry: 5, reason: "startedDateTime is not a date: nothing" },
        { entry: 6, reason: "it is not an object: [1]" },
      ]);
      const reader = unwrap(store.openEnded(store.list()[0]?.id ?? ""));
      const targets = [...reader.events(false)].flatMap((event) =>
        event.type === "request-started" ? [[event.id, event.target]] : [],
      );
      assert.equal(targets, [
        [1, "/1"],
        [4, "/2"],
        [7, "/3"],
      ]);
      reader.close();
    }));

  test("given 150 unreadable entries, lists the first 100 and counts all", () =>
    withImports(async ({ begin }) => {
      const one = begin("odd.har");
      const { leftOut, leftOutCount } = await take(one, `${START}${"null,".repeat(150)}${entry(1)}]}}`, true);
      assert.equal([leftOut.length, leftOutCount, leftOut.at(-1)?.entry], [100, 150, 100]);
    }));

  test("given a file compressed with gzip in pieces of any size, imports it as one session", () =>
    withImports(async ({ begin, store }) => {
      const whole = Array.from({ length: 600 }, (_, index) => entry(index + 1)).join(",");
      const packed = gzipSync(`${START}${whole}]}}`);
      for (const size of [7_001, packed.length]) {
        const one = begin("packed.har.gz");
        let exchanges = 0;
        for (let at = 0; at < packed.length; at += size)
          ({ exchanges } = unwrap(await one.addPiece(packed.subarray(at, at + size), at + size >= packed.length)));
        assert.is(exchanges, 600);
      }
      assert.is(store.list().length, 2);
    }));

  test("given a damaged zip archive, refuses it and leaves nothing behind", () =>
    withImports(async ({ begin, kept }) => {
      const one = begin("trace.zip");
      assert.match(await refusalOf(one, "PK\u0003\u0004 and much more", "latin1"), /^This zip archive is damaged/);
      assert.is(kept(), 0);
    }));

  test("given a zip with bodies of their own, keeps them, and notes at the session which is missing", () =>
    withImports(async ({ begin, store }) => {
      const one = begin("run.zip");
      const entries = ["a.txt", "b.txt"].map((file, index) => {
        const one = JSON.parse(entry(index + 1));
        return { ...one, response: { ...one.response, content: { size: 4, _file: file } } };
      });
      const har = Buffer.from(JSON.stringify({ log: { version: "1.2", entries } }));
      const zip = zipOf([["har.har", har], ["a.txt", Buffer.from("body")]], 8); // biome-ignore format: a table
      await one.addPiece(zip, true);
      const [facts] = store.list();
      assert.is(facts?.notes, '1 body could not be read. "b.txt": the zip archive has no such file.');
      const reader = unwrap(store.openEnded(facts?.id ?? ""));
      assert.is(unwrap(reader.readBody(1 as ExchangeId, "response", 0, 100)).toString(), "body");
      reader.close();
    }));

  test("given a mark and a comment on an entry, imports both", () =>
    withImports(async ({ begin, store }) => {
      const one = begin("said.har");
      const said = [1, 2].map((number) => JSON.stringify({ ...JSON.parse(entry(number)), ...SAID[number] }));
      await take(one, `${START}${said.join(",")}]}}`, true);
      const reader = unwrap(store.openEnded(store.list()[0]?.id ?? ""));
      assert.equal([...reader.annotations()], [[2, { mark: "star", comment: "look" }]]);
      reader.close();
    }));

  test(
    "given many annotations, imports comments up to 16 M characters and all marks",
    () =>
      withImports(async ({ begin, store }) => {
        const one = begin("much.har");
        const said = { ...JSON.parse(entry(1)), comment: "x".repeat(4_000), _mark: "flag" };
        const whole = `${JSON.stringify(said)},`.repeat(4_200);
        await take(one, `${START}${whole.slice(0, -1)}]}}`, true);
        const reader = unwrap(store.openEnded(store.list()[0]?.id ?? ""));
        const annotations = [...reader.annotations()].map(([, annotation]) => annotation);
        assert.is(annotations.filter(({ comment }) => comment !== "").length, Math.floor((16 * 1024 * 1024) / 4_000));
        assert.is(annotations.filter(({ mark }) => mark === "flag").length, 4_200);
        reader.close();
      }),
    { isLong: true },
  );
});
