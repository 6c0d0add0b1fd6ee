import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import { HarImports } from "../../../../extensions/proxy/engine-thread/recording/har-imports.ts";
import { Timeslicer } from "../../../../extensions/proxy/process/timeslicer.ts";
import { SessionReader } from "../../../../extensions/proxy/storage/session-reader.ts";
import { SessionStore } from "../../../../extensions/proxy/storage/sessions.ts";
import { unwrap } from "../../../../src/engine/model/result.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { instant } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { zipOf } from "../../../support/made-zip.ts";
import { withFolder } from "../../../support/temporary-folder.ts";

const START = '{"log":{"version":"1.2","creator":{"name":"t","version":"1"},"entries":[';

const PAGE = {};

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
  body: (stage: { readonly imports: HarImports; readonly store: SessionStore; kept(): number }) => Promise<void>,
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
    await body({ imports: new HarImports(store), store, kept });
  });
}

function take(imports: HarImports, importNumber: number, text: string, last: boolean) {
  return imports.addPiece(importNumber, Buffer.from(text), last);
}

async function refusalOf(asked: Promise<unknown>): Promise<string> {
  try {
    await asked;
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
  return "was not refused";
}

describe("imports of HAR files", (test) => {
  test("whatever the file's length, what a piece completes lies on disk before its reply, so nothing piles up", () =>
    withImports(async ({ imports, kept }) => {
      const { importNumber } = imports.start("long.har", "completed", instant(0), null, PAGE);
      await take(imports, importNumber, START, false);
      for (let number = 1; number <= 40; number += 1) {
        const whole = `${number === 1 ? "" : ","}${entry(number)}`;
        const begun = await take(imports, importNumber, whole.slice(0, 60), false);
        assert.is(begun.exchanges, number - 1);
        const { exchanges } = await take(imports, importNumber, whole.slice(60), false);
        assert.equal([exchanges, kept()], [number, number]);
      }
      const { session } = await take(imports, importNumber, "]}}", true);
      assert.type(session, "string");
    }));

  test("given a zip archive whose entries are all left out, may pause after each of them", () =>
    withImports(async ({ imports }) => {
      const { pause } = Timeslicer.prototype;
      let pauses = 0;
      Timeslicer.prototype.pause = function counted() {
        pauses += 1;
        return pause.call(this);
      };
      try {
        const count = 4_000;
        const archive = zipOf([["a.har", Buffer.from(`${START}${Array(count).fill("{}").join(",")}]}}`)]], 0);
        const { importNumber } = imports.start("odd.zip", "completed", instant(0), null, PAGE);
        assert.match(await refusalOf(imports.addPiece(importNumber, archive, true)), "no exchange that could be read");
        assert.ok(pauses >= count, `${pauses} pauses for ${count} entries`);
      } finally {
        Timeslicer.prototype.pause = pause;
      }
    }));

  test("a piece that comes before the reply to the last is refused, and the import goes on", () =>
    withImports(async ({ imports }) => {
      const { importNumber } = imports.start("hasty.har", "completed", instant(0), null, PAGE);
      const first = take(imports, importNumber, `${START}${entry(1)}`, false);
      assert.is(
        await refusalOf(take(imports, importNumber, "]}}", true)),
        "Wait for the reply to the last piece before the next is sent.",
      );
      assert.is((await first).exchanges, 1);
      assert.is((await take(imports, importNumber, "]}}", true)).exchanges, 1);
    }));

  test("an entry that is too large is left out and counted, and all others are there", () =>
    withImports(async ({ imports, store }) => {
      const { importNumber } = imports.start("large.har", "completed", instant(0), null, PAGE);
      await take(imports, importNumber, `${START}${entry(1)},{"_webSocketMessages":["`, false);
      const million = "x".repeat(1_000_000);
      for (let piece = 0; piece < 70; piece += 1) await take(imports, importNumber, million, false);
      const done = await take(imports, importNumber, `"]},${entry(2)}]}}`, true);
      assert.equal([done.exchanges, done.leftOutCount], [2, 1]);
      assert.equal(done.leftOut, [{ entry: 2, reason: "it is larger than 64 MB" }]);
      assert.equal(
        store.list().map(({ exchanges }) => exchanges),
        [2],
      );
    }));

  test("four files may be read at once, no more", () =>
    withImports(async ({ imports, store }) => {
      const begin = () => imports.start("one.har", "completed", instant(0), null, PAGE);
      for (let count = 0; count < 4; count += 1) begin();
      assert.throws(begin, /Too many files are being read/);
      imports.cancel(2);
      begin();
      imports.cancelAll();
      assert.equal(store.list(), []);
    }));

  test("of a page that is gone nothing is left, and it takes nobody's place", () =>
    withImports(async ({ imports, store, kept }) => {
      const [gone, other] = [{}, {}];
      const begin = (page: object) => imports.start("one.har", "completed", instant(0), null, page).importNumber;
      const left = [begin(gone), begin(gone), begin(gone)];
      const whole = begin(other);
      for (const importNumber of left) await take(imports, importNumber, `${START}${entry(1)}`, false);
      imports.cancelFor(gone);
      assert.is(kept(), 0);
      for (let count = 0; count < 3; count += 1) begin(PAGE);
      await take(imports, whole, `${START}${entry(1)}]}}`, true);
      assert.is(store.list().length, 1);
      imports.cancelAll();
    }));

  test("one that is cancelled in the midst of a piece stops there and leaves nothing", () =>
    withImports(async ({ imports, store, kept }) => {
      const { importNumber } = imports.start("long.har", "completed", instant(0), null, PAGE);
      const entries = Array.from({ length: 5_000 }, (_, index) => entry(index + 1)).join(",");
      const taking = take(imports, importNumber, START + entries, false);
      imports.cancel(importNumber);
      assert.is(await refusalOf(taking), "The import was cancelled.");
      assert.equal([store.list(), kept()], [[], 0]);
    }));

  test("one that is cancelled while it is unpacked leaves nothing", () =>
    withImports(async ({ imports, store, kept }) => {
      const packed = gzipSync(`${START}${Array.from({ length: 5_000 }, (_, index) => entry(index + 1)).join(",")}`);
      for (const turns of [0, 1, 5]) {
        const { importNumber } = imports.start("long.har.gz", "completed", instant(0), null, PAGE);
        const taking = imports.addPiece(importNumber, packed, false);
        for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
        imports.cancel(importNumber);
        assert.is(await refusalOf(taking), "The import was cancelled.");
        assert.equal([store.list(), kept()], [[], 0]);
      }
    }));

  test("a session that cannot be kept is told, and nothing is left of it", () =>
    withFolder(async (folder) => {
      const store = SessionStore.open(folder, 1024 ** 3);
      const imports = new HarImports(store);
      const { importNumber } = imports.start("a.har", "completed", instant(0), null, PAGE);
      await take(imports, importNumber, START + entry(1), false);
      const sessions = join(folder, "sessions");
      const [unfinished = ""] = readdirSync(sessions);
      const place = unfinished.replace(".import", "");
      mkdirSync(join(sessions, place, "in the way"), { recursive: true });
      assert.match(await refusalOf(take(imports, importNumber, "]}}", true)), /^The session could not be stored: .+/);
      assert.equal(readdirSync(sessions), [place]);
    }));

  test("a file of which no entry can be read is refused, and says what is wrong with the first", () =>
    withImports(async ({ imports, kept }) => {
      const refusal = async (entries: string) => {
        const { importNumber } = imports.start("none.har", "completed", instant(0), null, PAGE);
        return refusalOf(take(imports, importNumber, `${START}${entries}]}}`, true));
      };
      const nothing = "This file holds no exchange that could be read.";
      assert.is(await refusal(""), nothing);
      const noRequest = entry(1).replace("https:", "data:");
      assert.is(
        await refusal(`${noRequest},{}`),
        `${nothing} Entry 1: request.url is not an HTTP or WebSocket URL: "data://kept.test/1".`,
      );
      assert.is(await refusal(`{},${noRequest}`), `${nothing} Entry 1: startedDateTime is not a date: nothing.`);
      assert.is(kept(), 0);
    }));

  test("entries that cannot be read are left out, each with its place, reason and value; the ids of others are their places", () =>
    withImports(async ({ imports, store }) => {
      const { importNumber } = imports.start("odd.har", "completed", instant(0), null, PAGE);
      const odd = [entry(1), "null", '{"a":tru}', entry(2), '{"request":{}}', "[1]", entry(3)];
      const done = await take(imports, importNumber, `${START}${odd.join(",")}]}}`, true);
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

  test("of many that are left out the first 100 are told, and all are counted", () =>
    withImports(async ({ imports }) => {
      const { importNumber } = imports.start("odd.har", "completed", instant(0), null, PAGE);
      const { leftOut, leftOutCount } = await take(
        imports,
        importNumber,
        `${START}${"null,".repeat(150)}${entry(1)}]}}`,
        true,
      );
      assert.equal([leftOut.length, leftOutCount, leftOut.at(-1)?.entry], [100, 150, 100]);
    }));

  test("a file that is packed with gzip is one session, in pieces of any size", () =>
    withImports(async ({ imports, store }) => {
      const whole = Array.from({ length: 3_000 }, (_, index) => entry(index + 1)).join(",");
      const packed = gzipSync(`${START}${whole}]}}`);
      for (const size of [7_001, packed.length]) {
        const { importNumber } = imports.start("packed.har.gz", "completed", instant(0), null, PAGE);
        let exchanges = 0;
        for (let at = 0; at < packed.length; at += size)
          ({ exchanges } = await imports.addPiece(
            importNumber,
            packed.subarray(at, at + size),
            at + size >= packed.length,
          ));
        assert.is(exchanges, 3_000);
      }
      assert.is(store.list().length, 2);
    }));

  test("a zip archive that holds no HAR file is refused, and nothing is left of it", () =>
    withImports(async ({ imports, kept }) => {
      const { importNumber } = imports.start("trace.zip", "completed", instant(0), null, PAGE);
      const zip = Buffer.from("PK\u0003\u0004 and much more", "latin1");
      assert.match(await refusalOf(imports.addPiece(importNumber, zip, true)), /^This zip archive is damaged/);
      assert.is(kept(), 0);
    }));

  test("given a zip with bodies of their own, keeps them, and notes at the session which is missing", () =>
    withImports(async ({ imports, store }) => {
      const { importNumber } = imports.start("run.zip", "completed", instant(0), null, PAGE);
      const entries = ["a.txt", "b.txt"].map((file, index) => {
        const one = JSON.parse(entry(index + 1));
        return { ...one, response: { ...one.response, content: { size: 4, _file: file } } };
      });
      const har = Buffer.from(JSON.stringify({ log: { version: "1.2", entries } }));
      const zip = zipOf([["har.har", har], ["a.txt", Buffer.from("body")]], 8); // biome-ignore format: a table
      await imports.addPiece(importNumber, zip, true);
      const [facts] = store.list();
      assert.is(facts?.notes, '1 body could not be read. "b.txt": the zip archive has no such file.');
      const reader = unwrap(store.openEnded(facts?.id ?? ""));
      assert.is(unwrap(reader.readBody(1 as ExchangeId, "response", 0, 100)).toString(), "body");
      reader.close();
    }));

  test("what a person says of an entry is imported with it", () =>
    withImports(async ({ imports, store }) => {
      const { importNumber } = imports.start("said.har", "completed", instant(0), null, PAGE);
      const said = [1, 2].map((number) => JSON.stringify({ ...JSON.parse(entry(number)), ...SAID[number] }));
      await take(imports, importNumber, `${START}${said.join(",")}]}}`, true);
      const reader = unwrap(store.openEnded(store.list()[0]?.id ?? ""));
      assert.equal([...reader.annotations()], [[2, { mark: "star", comment: "look" }]]);
      reader.close();
    }));

  test("comments of a file are taken up to 16 M characters, marks all of them", () =>
    withImports(async ({ imports, store }) => {
      const { importNumber } = imports.start("much.har", "completed", instant(0), null, PAGE);
      const said = { ...JSON.parse(entry(1)), comment: "x".repeat(4_000), _mark: "flag" };
      const whole = `${JSON.stringify(said)},`.repeat(4_200);
      await take(imports, importNumber, `${START}${whole.slice(0, -1)}]}}`, true);
      const reader = unwrap(store.openEnded(store.list()[0]?.id ?? ""));
      const annotations = [...reader.annotations()].map(([, annotation]) => annotation);
      assert.is(annotations.filter(({ comment }) => comment !== "").length, Math.floor((16 * 1024 * 1024) / 4_000));
      assert.is(annotations.filter(({ mark }) => mark === "flag").length, 4_200);
      reader.close();
    }));
});
