import { setImmediate } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import { CurrentSession } from "../../../../extensions/proxy/engine-thread/recording/current-session.ts";
import { DecodingQueue, PageTitles } from "../../../../extensions/proxy/engine-thread/recording/decoding-queue.ts";
import { SessionStore } from "../../../../extensions/proxy/storage/sessions.ts";
import type { CaptureEvent } from "../../../../src/engine/capture/event.ts";
import { failure } from "../../../../src/engine/model/result.ts";
import { MOST_READ } from "../../../../src/engine/report/operation-reader.ts";
import { sessionTitleOf } from "../../../../src/engine/session/lists/session-title.ts";
import { describe } from "../../../support/describe.ts";
import { withFolder } from "../../../support/temporary-folder.ts";
import { answered, ended, idOf, moment, piece, started } from "../../storage/story.ts";

const HEAD = "HTTP/1.1 200 OK\r\nContent-Encoding: ";

/** An exchange with a compressed body of that many bytes. */
function encoded(number: number, size: number, encoding = "gzip"): readonly CaptureEvent[] {
  const body = gzipSync(Buffer.alloc(size));
  const end = { ...ended(number), encodedBodySize: body.length };
  return [
    started(number),
    { ...answered(number), head: `${HEAD}${encoding}\r\n\r\n` } as CaptureEvent,
    piece(number, body),
    end,
  ];
}

/** A recording, and measurements of it. */
function recording(folder: string) {
  const currentSession = new CurrentSession(SessionStore.open(folder, 1024 ** 3), null);
  const queue = new DecodingQueue();
  return {
    currentSession,
    record(events: readonly CaptureEvent[]) {
      queue.addEvents(currentSession.addEvents(events), currentSession.session);
    },
    measure: () => queue.measure(currentSession.session, currentSession.reader()),
    measured: async () =>
      (await queue.measure(currentSession.session, currentSession.reader()))?.map(({ id, size }) => [
        Number(id),
        size,
      ]) ?? null,
  };
}

describe("decoding queue", (test) => {
  test("given bodies, measures an encoded one once, an undecodable one as null and a plain one not at all", () =>
    withFolder(async (folder) => {
      const { record, measured, currentSession } = recording(folder);
      record([...encoded(1, 5_000), ...encoded(2, 9, "br"), ...encoded(3, 9, "identity")]);
      assert.equal(await measured(), [
        [1, 5_000],
        [2, null],
      ]);
      assert.is(await measured(), null);
      currentSession.finish(moment(99));
    }));

  test("given an encoded response that reports an error, records the error for an operation alone, and not of a large body", () =>
    withFolder(async (folder) => {
      const { record, measure, currentSession } = recording(folder);
      const refusal = { errors: [{ message: "no" }] };
      const question = Buffer.from(JSON.stringify({ query: "query GetUser { user { id } }" }));
      const head = "POST /graphql HTTP/1.1\r\nContent-Type: application/json\r\n\r\n";
      const asked = [
        [question, refusal],
        [Buffer.from("{}"), refusal],
        [question, { ...refusal, data: "x".repeat(MOST_READ) }],
      ] as const;
      for (const [number, [sent, content]] of asked.entries()) {
        const answer = gzipSync(JSON.stringify(content));
        record([
          started(number, { method: "POST", target: "/graphql", head }),
          piece(number, sent, "request"),
          { ...answered(number), head: `${HEAD}gzip\r\n\r\n` },
          piece(number, answer),
          { ...ended(number), requestBodySize: sent.length, encodedBodySize: answer.length },
        ]);
      }
      const measured = (await measure()) ?? [];
      assert.equal(
        measured.map(({ failed = false }) => failed),
        [true, false, false],
      );
      const errors = () => currentSession.session.tallies.counted().map(({ endpoint, errors }) => [endpoint, errors]);
      currentSession.addEvents(measured);
      assert.equal(errors(), [
        ["POST https://shop.example/graphql", 0],
        ["POST https://shop.example/graphql · GetUser", 1],
      ]);
      assert.is(currentSession.session.summary.errors, 1);
      currentSession.tick(moment(50));
      const again = new CurrentSession(SessionStore.open(folder, 1024 ** 3, true), null);
      assert.is(again.session.summary.errors, 1, "from disk too");
      currentSession.finish(moment(99));
    }));

  test("given a new session, stops measuring bodies of the one before, and does not report them as undecodable", () =>
    withFolder(async (folder) => {
      const { record, measured, currentSession } = recording(folder);
      record(encoded(1, 5_000));
      currentSession.startNew(moment(50));
      assert.is(await measured(), null);
      record(encoded(2, 6_000));
      assert.equal(await measured(), [[2, 6_000]]);
      currentSession.clear(moment(60));
      record(encoded(3, 7_000));
      currentSession.undoClear();
      assert.equal(await measured(), [[3, 7_000]], "what both sessions took is of the one that goes on");
      currentSession.finish(moment(99));
    }));

  test("given 20,001 waiting bodies, measures only the latest 10,000", async () => {
    const queue = new DecodingQueue();
    const session = { contentEncoding: () => "gzip" };
    queue.addEvents(
      Array.from({ length: 20_001 }, (_, index) => ended(index + 1)),
      session,
    );
    const asked: number[] = [];
    const readBodyInTurns = async (id: number) => {
      asked.push(id);
      return failure("");
    };
    await queue.measure(session, { readBodyInTurns } as never);
    assert.equal([asked.length, asked[0]], [50, Number(idOf(10_002))]);
  });

  test("given many bodies, has at most four of them in memory at one time", async () => {
    const queue = new DecodingQueue();
    const session = { contentEncoding: () => "gzip" };
    queue.addEvents(
      Array.from({ length: 50 }, (_, index) => ended(index + 1)),
      session,
    );
    let [reading, most, all] = [0, 0, 0];
    const readBodyInTurns = async () => {
      reading += 1;
      most = Math.max(most, reading);
      await setImmediate();
      reading -= 1;
      all += 1;
      return failure("");
    };
    await queue.measure(session, { readBodyInTurns } as never);
    assert.equal([most, all], [4, 50]);
  });
});

describe("captured page titles", (test) => {
  test("given documents, describes each page once by its title, and the session is named by the busiest", () =>
    withFolder(async (folder) => {
      const currentSession = new CurrentSession(SessionStore.open(folder, 1024 ** 3), null);
      const titles = new PageTitles();
      const add = (events: readonly CaptureEvent[]) => {
        titles.addEvents(currentSession.addEvents(events), currentSession.session);
        return titles.read(currentSession.session, currentSession.reader());
      };
      assert.equal(await add(document(1, "<title>Cart</title>", "text/html", "document")), [
        { type: "page-described", page: "https://shop.example/items/1?q=1", title: "Cart", at: null, marks: new Map() },
      ]);
      assert.equal(await add(document(2, "<title>Data</title>", "text/html", "empty")), []);
      assert.equal(await add(document(3, "<title>Text</title>", "text/plain", "document")), []);
      assert.equal(await add(document(4, "no title", "text/html", "document")), []);
      const found = await add(
        document(5, `${"<p>".repeat(9)}<title>Shop</title>`, "text/html; charset=utf-8", "document"),
      );
      const referer = "GET /a.css HTTP/1.1\r\nHost: shop.example\r\nReferer: https://shop.example/items/5?q=1\r\n\r\n";
      currentSession.addEvents([...found, started(6, { head: referer, target: "/a.css" }), answered(6), ended(6)]);
      assert.is(sessionTitleOf(currentSession.session).split(",")[0], "Shop");
      currentSession.finish(moment(100));
    }));
});

function document(number: number, html: string, type: string, dest: string): readonly CaptureEvent[] {
  const head = `GET /items/${number}?q=1 HTTP/1.1\r\nHost: shop.example\r\nSec-Fetch-Dest: ${dest}\r\n\r\n`;
  const response = `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Encoding: gzip\r\n\r\n`;
  return [
    started(number, { head }),
    { ...answered(number), head: response } as CaptureEvent,
    piece(number, gzipSync(html)),
    ended(number),
  ];
}
