import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { HarImports } from "../../extensions/proxy/har-imports.ts";
import { SessionReader } from "../../extensions/proxy/storage/session-reader.ts";
import { SessionStore } from "../../extensions/proxy/storage/sessions.ts";
import { instant } from "../support/capture.ts";
import { describe } from "../support/describe.ts";
import { withFolder } from "../support/temporary-folder.ts";

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

/** The store, and where an import that is not whole yet lies. */
async function withImports(
  body: (stage: { readonly imports: HarImports; readonly store: SessionStore; kept(): number }) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    const store = SessionStore.open(folder, 1024 ** 3);
    const sessions = join(folder, "sessions");
    const kept = () => {
      const unfinished = readdirSync(sessions).find((name) => name.endsWith(".import"));
      const reader = SessionReader.open(join(sessions, unfinished ?? "none"));
      if (typeof reader === "string") return 0;
      const ended = [...reader.events(false)].filter(({ type }) => type === "exchange-ended").length;
      reader.close();
      return ended;
    };
    await body({ imports: new HarImports(store), store, kept });
  });
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
      const { importNumber } = imports.start("long.har", "completed", instant(0), false, PAGE);
      await imports.take(importNumber, START, false);
      for (let number = 1; number <= 40; number += 1) {
        const whole = `${number === 1 ? "" : ","}${entry(number)}`;
        const begun = await imports.take(importNumber, whole.slice(0, 60), false);
        assert.is(begun.exchanges, number - 1);
        const { exchanges } = await imports.take(importNumber, whole.slice(60), false);
        assert.equal([exchanges, kept()], [number, number]);
      }
      const { session } = await imports.take(importNumber, "]}}", true);
      assert.type(session, "string");
    }));

  test("a piece that comes before the reply to the last is refused, and the import goes on", () =>
    withImports(async ({ imports }) => {
      const { importNumber } = imports.start("hasty.har", "completed", instant(0), false, PAGE);
      const first = imports.take(importNumber, `${START}${entry(1)}`, false);
      assert.is(await refusalOf(imports.take(importNumber, "]}}", true)), "Send a piece after the reply to the last.");
      assert.is((await first).exchanges, 1);
      assert.is((await imports.take(importNumber, "]}}", true)).exchanges, 1);
    }));

  test("an entry that is too large is left out and counted, and all others are there", () =>
    withImports(async ({ imports, store }) => {
      const { importNumber } = imports.start("large.har", "completed", instant(0), false, PAGE);
      await imports.take(importNumber, `${START}${entry(1)},{"_webSocketMessages":["`, false);
      const million = "x".repeat(1_000_000);
      for (let piece = 0; piece < 70; piece += 1) await imports.take(importNumber, million, false);
      const done = await imports.take(importNumber, `"]},${entry(2)}]}}`, true);
      assert.equal([done.exchanges, done.leftOut, done.problem], [2, 1, "An entry is too large."]);
      assert.equal(
        store.list().map(({ exchanges }) => exchanges),
        [2],
      );
    }));

  test("four files may be read at once, no more", () =>
    withImports(async ({ imports, store }) => {
      const begin = () => imports.start("one.har", "completed", instant(0), false, PAGE);
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
      const begin = (page: object) => imports.start("one.har", "completed", instant(0), false, page).importNumber;
      const left = [begin(gone), begin(gone), begin(gone)];
      const whole = begin(other);
      for (const importNumber of left) await imports.take(importNumber, `${START}${entry(1)}`, false);
      imports.leave(gone);
      assert.is(kept(), 0);
      for (let count = 0; count < 3; count += 1) begin(PAGE);
      await imports.take(whole, `${START}${entry(1)}]}}`, true);
      assert.is(store.list().length, 1);
      imports.cancelAll();
    }));

  test("one that is cancelled in the midst of a piece stops there and leaves nothing", () =>
    withImports(async ({ imports, store, kept }) => {
      const { importNumber } = imports.start("long.har", "completed", instant(0), false, PAGE);
      const entries = Array.from({ length: 5_000 }, (_, index) => entry(index + 1)).join(",");
      const taking = imports.take(importNumber, START + entries, false);
      imports.cancel(importNumber);
      assert.is(await refusalOf(taking), "The import was cancelled.");
      assert.equal([store.list(), kept()], [[], 0]);
    }));

  test("a session that cannot be kept is told, and nothing is left of it", () =>
    withFolder(async (folder) => {
      const store = SessionStore.open(folder, 1024 ** 3);
      const imports = new HarImports(store);
      const { importNumber } = imports.start("a.har", "completed", instant(0), false, PAGE);
      await imports.take(importNumber, START + entry(1), false);
      const sessions = join(folder, "sessions");
      const [unfinished = ""] = readdirSync(sessions);
      const place = unfinished.replace(".import", "");
      mkdirSync(join(sessions, place, "in the way"), { recursive: true });
      assert.match(await refusalOf(imports.take(importNumber, "]}}", true)), /^The session could not be kept: .+/);
      assert.equal(readdirSync(sessions), [place]);
    }));

  test("a file of which no entry can be read is refused, and says what is wrong with the first", () =>
    withImports(async ({ imports, kept }) => {
      const refusal = async (entries: string) => {
        const { importNumber } = imports.start("none.har", "completed", instant(0), false, PAGE);
        return refusalOf(imports.take(importNumber, `${START}${entries}]}}`, true));
      };
      const nothing = "This file holds no exchange that could be read.";
      assert.is(await refusal(""), nothing);
      const noRequest = entry(1).replace("https:", "data:");
      assert.is(await refusal(`${noRequest},{}`), `${nothing} An entry is no HTTP request.`);
      assert.is(await refusal(`{},${noRequest}`), `${nothing} An entry does not say when it began.`);
      assert.is(kept(), 0);
    }));

  test("an entry that cannot be read is left out and told, the others are kept", () =>
    withImports(async ({ imports }) => {
      const { importNumber } = imports.start("odd.har", "completed", instant(0), false, PAGE);
      const text = `${START}${entry(1)},{"request":{}},${entry(2)}]}}`;
      const { exchanges, leftOut, problem } = await imports.take(importNumber, text, true);
      assert.equal([exchanges, leftOut], [2, 1]);
      assert.match(problem ?? "", /\w/);
    }));

  test("what a person says of an entry is imported with it", () =>
    withImports(async ({ imports, store }) => {
      const { importNumber } = imports.start("said.har", "completed", instant(0), false, PAGE);
      const said = [1, 2].map((number) => JSON.stringify({ ...JSON.parse(entry(number)), ...SAID[number] }));
      await imports.take(importNumber, `${START}${said.join(",")}]}}`, true);
      const reader = store.openEnded(store.list()[0]?.id ?? "");
      if (typeof reader === "string") throw new Error(reader);
      assert.equal([...reader.remarks()], [[2, { mark: "star", comment: "look" }]]);
      reader.close();
    }));

  test("comments of a file are taken up to 16 M characters, marks all of them", () =>
    withImports(async ({ imports, store }) => {
      const { importNumber } = imports.start("much.har", "completed", instant(0), false, PAGE);
      const said = { ...JSON.parse(entry(1)), comment: "x".repeat(4_000), _mark: "flag" };
      const whole = `${JSON.stringify(said)},`.repeat(4_200);
      await imports.take(importNumber, `${START}${whole.slice(0, -1)}]}}`, true);
      const reader = store.openEnded(store.list()[0]?.id ?? "");
      if (typeof reader === "string") throw new Error(reader);
      const remarks = [...reader.remarks()].map(([, remark]) => remark);
      assert.is(remarks.filter(({ comment }) => comment !== "").length, Math.floor((16 * 1024 * 1024) / 4_000));
      assert.is(remarks.filter(({ mark }) => mark === "flag").length, 4_200);
      reader.close();
    }));
});
