import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { HarImports, type ImportWorker } from "../../../../extensions/proxy/engine-thread/recording/har-imports.ts";
import type { ImportStart } from "../../../../extensions/proxy/import-thread/import-messages.ts";
import { SessionStore } from "../../../../extensions/proxy/storage/sessions.ts";
import { instant } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { inProcessImport } from "../../../support/in-process-import.ts";
import { withFolder } from "../../../support/temporary-folder.ts";

const START = '{"log":{"version":"1.2","creator":{"name":"t","version":"1"},"entries":[';

const PAGE = {};

function entry(number: number): string {
  return JSON.stringify({
    startedDateTime: "2026-03-01T10:00:00.000Z",
    time: 120,
    request: { method: "GET", url: `https://kept.test/${number}`, httpVersion: "HTTP/1.1", headers: [] },
    response: { status: 200, httpVersion: "HTTP/1.1", headers: [], content: { size: 4, text: `text of ${number}` } },
    timings: { send: 0, wait: 100, receive: 20 },
  });
}

/** The store, and the names in its folder of sessions. `spawn`: absent for real threads. */
async function withImports(
  spawn: ((start: ImportStart) => ImportWorker) | undefined,
  body: (stage: {
    readonly imports: HarImports;
    readonly store: SessionStore;
    left(): readonly string[];
  }) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    const store = SessionStore.open(folder, 1024 ** 3);
    await body({ imports: new HarImports(store, spawn), store, left: () => readdirSync(join(folder, "sessions")) });
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

/** What the pieces of the imported file hold, unlike what else this thread reads meanwhile. */
const IMPORTED = /kept\.test|"data":"x"|x{100}/;

/** The imported characters that this thread parses as JSON, or decodes, while `body` runs. */
async function readHere(body: () => Promise<void>): Promise<number> {
  const { parse } = JSON;
  const { decode } = TextDecoder.prototype;
  let count = 0;
  const counted = (text: string): string => {
    if (IMPORTED.test(text)) count += text.length;
    return text;
  };
  JSON.parse = (text, reviver) => parse(counted(text), reviver);
  TextDecoder.prototype.decode = function decodeCounted(bytes, options) {
    return counted(decode.call(this, bytes, options));
  };
  try {
    await body();
    return count;
  } finally {
    JSON.parse = parse;
    TextDecoder.prototype.decode = decode;
  }
}

describe("HAR imports", (test) => {
  test("given entries of any size, this thread reads none of their bytes, and the session is listed", () =>
    withImports(undefined, async ({ imports, store }) => {
      const many = { ...JSON.parse(entry(2)), _webSocketMessages: Array(4_000).fill({ type: "send", data: "x" }) };
      const long = JSON.parse(entry(3));
      long.response.content.text = "x".repeat(2_000_000);
      const pieces = [START, `${entry(1)},${JSON.stringify(many)},`, `${JSON.stringify(long)}]}}`];
      const { importNumber } = imports.start("large.har", "completed", instant(0), null, PAGE);
      const { revision } = store;
      const here = await readHere(async () => {
        for (const piece of pieces) await take(imports, importNumber, piece, piece === pieces.at(-1));
      });
      assert.is(here, 0);
      assert.ok(store.revision > revision);
      assert.equal(
        store.list().map(({ name, exchanges }) => [name, exchanges]),
        [["large.har", 3]],
      );
    }));

  test("given a cancellation in the midst of a piece, or before the thread has begun, leaves nothing", () =>
    withImports(undefined, async ({ imports, store, left }) => {
      const entries = Array.from({ length: 5_000 }, (_, index) => entry(index + 1)).join(",");
      for (const isBegun of [true, false]) {
        const { importNumber } = imports.start("long.har", "completed", instant(0), null, PAGE);
        if (isBegun) await take(imports, importNumber, START, false);
        const taking = refusalOf(take(imports, importNumber, (isBegun ? "" : START) + entries, false));
        await imports.cancel(importNumber);
        assert.is(await taking, "The import was cancelled.");
        assert.equal([store.list(), left()], [[], []]);
        assert.is(await refusalOf(take(imports, importNumber, "]}}", true)), "The import was cancelled.");
      }
    }));

  test("given a thread that fails, says why, and leaves nothing", () => {
    const failing = (): ImportWorker => {
      let end = () => {};
      return {
        postMessage: () => end(),
        on: (event: string, listener: unknown) => {
          const [onError, onExit] = [listener as (error: unknown) => void, listener as () => void];
          if (event === "error") onError(new Error("out of memory"));
          if (event === "exit") end = onExit;
        },
        unref: () => {},
        terminate: async () => {},
      };
    };
    return withImports(failing, async ({ imports, left }) => {
      const { importNumber } = imports.start("a.har", "completed", instant(0), null, PAGE);
      const refusal = await refusalOf(take(imports, importNumber, START, false));
      assert.is(refusal, "The file could not be read: out of memory.");
      assert.equal(left(), []);
    });
  });

  test("given a file that is refused, throws the sentence, and another import takes its place", () => {
    return withImports(inProcessImport, async ({ imports, left }) => {
      for (let count = 0; count < 5; count += 1) {
        const { importNumber } = imports.start("none.har", "completed", instant(0), null, PAGE);
        const refusal = await refusalOf(take(imports, importNumber, "[]", true));
        assert.is(refusal, "This is not a HAR file: it is not one JSON object.");
      }
      assert.equal(left(), []);
    });
  });

  test("given a piece before the reply to the last one, refuses it and continues the import", () =>
    withImports(inProcessImport, async ({ imports }) => {
      const { importNumber } = imports.start("hasty.har", "completed", instant(0), null, PAGE);
      const first = take(imports, importNumber, `${START}${entry(1)}`, false);
      assert.is(
        await refusalOf(take(imports, importNumber, "]}}", true)),
        "Wait for the reply to the last piece before the next is sent.",
      );
      assert.is((await first).exchanges, 1);
      assert.is((await take(imports, importNumber, "]}}", true)).exchanges, 1);
    }));

  test("given four imports at once, refuses a fifth", () =>
    withImports(inProcessImport, async ({ imports, store }) => {
      const begin = () => imports.start("one.har", "completed", instant(0), null, PAGE);
      for (let count = 0; count < 4; count += 1) begin();
      assert.throws(begin, /Too many files are being read/);
      await imports.cancel(2);
      begin();
      await imports.cancelAll();
      assert.equal(store.list(), []);
    }));

  test("given a page that disconnects, removes its imports and lets other pages import", () =>
    withImports(inProcessImport, async ({ imports, store, left }) => {
      const [gone, other] = [{}, {}];
      const begin = (page: object) => imports.start("one.har", "completed", instant(0), null, page).importNumber;
      const theirs = [begin(gone), begin(gone), begin(gone)];
      const whole = begin(other);
      for (const importNumber of theirs) await take(imports, importNumber, `${START}${entry(1)}`, false);
      await imports.cancelFor(gone);
      assert.equal(left(), []);
      for (let count = 0; count < 3; count += 1) begin(PAGE);
      await take(imports, whole, `${START}${entry(1)}]}}`, true);
      assert.is(store.list().length, 1);
      await imports.cancelAll();
    }));
});
