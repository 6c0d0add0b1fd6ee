import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { exportText } from "../../../extensions/proxy/export/export-text.ts";
import { openSource } from "../../../extensions/proxy/export/opened-source.ts";
import type { SessionReader } from "../../../extensions/proxy/storage/session-reader.ts";
import { harEnd } from "../../../src/engine/interchange/har.ts";
import { failure, success, unwrap } from "../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../src/engine/model/settings.ts";
import type { ExportSource } from "../../../src/engine/report/export-source.ts";
import { harPagesOf, harPieces, initiatorsOf } from "../../../src/engine/report/har-pieces.ts";
import { Baseline } from "../../../src/engine/session/lists/history.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { message } from "../../proxy/storage/story.ts";
import { eventsOf } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { rounds } from "../../support/rounds.ts";
import { type Said, withStored } from "../../support/stored.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const SAID = Buffer.from("said");

/** The pieces of a session's HAR, with one WebSocket of that many messages. */
function piecesOf(count: number, changes: Partial<SessionReader>) {
  const kept = Array.from({ length: count }, (_, index) => ({ ...message(1, SAID), index, kept: SAID.length }));
  const reader = {
    headsOf: () => ({ target: "/", request: "GET / HTTP/1.1\r\n\r\n", response: "HTTP/1.1 101 \r\n\r\n" }),
    readBodyInTurns: async () => success(Buffer.alloc(0)),
    messageCount: () => count,
    readMessages: (_, from, most) => kept.slice(from, from + most),
    readMessage: () => success(SAID),
  } satisfies Partial<SessionReader>;
  const source = {
    session: new Session(),
    reader: Object.defineProperties(reader, Object.getOwnPropertyDescriptors(changes)) as unknown as SessionReader,
    baseline: new Baseline([]),
    settings: DEFAULT_SETTINGS,
    version: "1.2.3",
  };
  return harPieces(source, [exchange({ id: 1, tags: ["websocket"] })], false);
}

describe("pieces of a HAR document", (test) => {
  test("given many WebSocket messages, writes each as a piece of its own", async () => {
    const pieces: string[] = [];
    for await (const { text } of piecesOf(250, {})) pieces.push(text);
    assert.is(Math.max(...pieces.map((text) => text.split("opcode").length)), 2);
    assert.is(JSON.parse(pieces.join("")).log.entries[0]._webSocketMessages.length, 250);
  });

  test("given a session closed during the export, the export fails, after one check for a batch of messages", async () => {
    let isClosed = false;
    let asked = 0;
    let text = "";
    const all = async () => {
      for await (const piece of piecesOf(3, {
        get isClosed() {
          asked += 1;
          return isClosed;
        },
      })) {
        text += piece.text;
        isClosed ||= piece.text.includes("opcode");
      }
    };
    assert.match(await all().then(() => "", String), "closed before its export was complete");
    assert.equal([asked, text.endsWith(harEnd(0))], [1, false]);
  });

  test("given a message that cannot be read, marks it as cut instead of writing an empty message", async () => {
    const readMessage: SessionReader["readMessage"] = (_, index) =>
      index === 0 ? success(SAID) : failure("the disk could not be written");
    let text = "";
    for await (const piece of piecesOf(2, { readMessage })) text += piece.text;
    const messages: readonly { data: string; _cut?: boolean }[] = JSON.parse(text).log.entries[0]._webSocketMessages;
    assert.equal(
      messages.map(({ data, _cut }) => [data, _cut === true]),
      [
        [SAID.toString("base64"), false],
        ["", true],
      ],
    );
  });
});

const PAGE: readonly Said[] = [
  {
    sketch: { id: 1, start: 0, end: 50, target: "/page?token=s3cret", client: "c", contentType: "text/html" },
    responseHeaders: ["Content-Type: text/html"],
    responseBody: '<script src="/app.js"></script><img src="/logo.png">',
  },
  { sketch: { id: 2, start: 60, end: 90, target: "/app.js", client: "c" } },
  { sketch: { id: 3, start: 500_000, end: 500_010, target: "/other", client: "c" } },
];

describe("initiators in an exported HAR file", (test) => {
  test("given a page whose body is left out, keeps the page's URL at the requests that it caused", () =>
    withStored(PAGE, async (stored) => {
      const source = { ...stored, baseline: new Baseline([]), settings: DEFAULT_SETTINGS, version: "0.0.0" };
      assert.equal(
        [...(await initiatorsOf(source, async () => {}))],
        [[2, { url: "https://api.test/page?token=s3cret", isScript: false }]],
      );
      const entriesOf = async (redact: boolean) => {
        let text = "";
        for await (const piece of unwrap(exportText(source, { format: "har", table: null }, "", redact)))
          text += piece.text;
        return JSON.parse(text).log;
      };
      const { entries, _leftOut: leftOut } = await entriesOf(true);
      assert.equal([entries[0].response.content.text, leftOut], ["", 1]);
      assert.equal(
        entries.map(({ _initiator: one }: { readonly _initiator?: object }) => one ?? null),
        [null, { type: "parser", url: "https://api.test/page?token=REDACTED" }, null],
      );
      const whole = await entriesOf(false);
      assert.match(whole.entries[0].response.content.text, "app.js");
      assert.is(whole._leftOut, undefined);
    }));

  test("given no page and no script, reads no body for it", () =>
    withStored(PAGE.slice(1), async ({ session }) => {
      const reader = new Proxy({}, { get: () => assert.unreachable("a body was read") }) as never;
      const source = { session, reader, baseline: new Baseline([]), settings: DEFAULT_SETTINGS, version: "0.0.0" };
      assert.is((await initiatorsOf(source, async () => {})).size, 0);
    }));
});

interface Entry {
  readonly pageref?: string;
  readonly [field: string]: unknown;
}

interface Log {
  readonly pages: readonly { readonly id: string; readonly title: string }[];
  readonly entries: readonly Entry[];
}

async function exported(source: ExportSource, redact: boolean): Promise<Log> {
  let text = "";
  for await (const piece of unwrap(exportText(source, { format: "har", table: null }, "", redact))) text += piece.text;
  return JSON.parse(text).log;
}

const START = Date.UTC(2026, 2, 3);

function entry(index: number, more: object): object {
  return {
    startedDateTime: new Date(START + 100 * index).toISOString(),
    time: 30,
    request: { method: "GET", url: `https://a.test/${index}`, httpVersion: "HTTP/1.1", headers: [] },
    response: { status: 200, httpVersion: "HTTP/1.1", headers: [], content: { size: 2, mimeType: "text/plain" } },
    timings: { blocked: 5, dns: -1, connect: -1, ssl: -1, send: 1, wait: 20, receive: 4 },
    ...more,
  };
}

const text = fc.string({ minLength: 1, maxLength: 12, unit: "grapheme-ascii" });
const fields = fc.record(
  {
    pageref: fc.constantFrom("page_1", "page_2", "page_7"),
    _initiator: fc.oneof(fc.constant("https://a.test/0"), fc.constant({ type: "script", url: "https://a.test/0" })),
    _initiator_detail: fc.constant(JSON.stringify({ type: "script", url: "https://a.test/0" })),
    _initiator_type: fc.constant("script"),
    _priority: fc.constantFrom("High", "VeryLow"),
    _resourceType: fc.constantFrom("script", "fetch"),
  },
  { requiredKeys: [], noNullPrototype: true },
);

describe("pages and initiators in an exported HAR file", (test) => {
  test("given a file with them, has them as they are in the file", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fields, { minLength: 1, maxLength: 6 }), text, async (drawn, title) => {
        const pageTimings = { onContentLoad: 40, onLoad: 90, _largestContentfulPaint: 70 };
        const startedDateTime = new Date(START).toISOString();
        const pages = ["page_1", "page_2"].map((id) => ({ startedDateTime, id, title, pageTimings }));
        await withFolder(async (folder) => {
          const path = join(folder, "a.har");
          const entries = drawn.map((more, index) => entry(index, more));
          writeFileSync(path, JSON.stringify({ log: { version: "1.2", pages, entries } }));
          const source = unwrap(await openSource({ file: path }));
          const log = await exported(source, false);
          source.close();
          for (const [index, given] of drawn.entries()) {
            const { pageref, ...others } = given;
            for (const [name, value] of Object.entries(others)) assert.equal(log.entries[index]?.[name], value, name);
            const page = log.pages.find(({ id }) => id === log.entries[index]?.pageref);
            if (pageref === undefined) assert.is(page, undefined);
            else if (pageref === "page_7") assert.is(page?.title, "page_7");
            else assert.equal(page, pages.find(({ id }) => id === pageref) ?? null);
          }
        });
      }),
      { numRuns: rounds(15) },
    ));

  test("given titles of captured pages, has them for each load; the file keeps them when it is read and written again", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 3 }),
        async (titles, loads) => {
          const session = new Session();
          const expected: string[] = [];
          for (let load = 0; load < loads; load += 1) {
            for (const [index, title] of titles.entries()) {
              const id = load * titles.length + index + 1;
              const target = `/page/${"abcd"[index]}`;
              const events = eventsOf(
                exchange({ id, start: 1_000 * id, end: 1_000 * id + 5, target, contentType: "text/html" }),
              );
              const head = `GET ${target} HTTP/1.1\r\nHost: api.test\r\nSec-Fetch-Dest: document\r\n\r\n`;
              session.apply(events.map((event) => (event.type === "request-started" ? { ...event, head } : event)));
              session.apply([
                { type: "page-described", page: `https://api.test${target}`, title, at: null, marks: new Map() },
              ]);
              expected.push(title);
            }
          }
          const context = { baseline: new Baseline([]), settings: DEFAULT_SETTINGS, version: "0.0.0" };
          const live = await exported({ session, reader: null, ...context }, false);
          assert.equal(
            live.pages.map(({ title }) => title),
            expected,
          );
          assert.equal(
            live.entries.map(({ pageref }) => pageref),
            live.pages.map(({ id }) => id),
            "each load is a page of its own",
          );
          await withFolder(async (folder) => {
            const path = join(folder, "a.har");
            writeFileSync(path, JSON.stringify({ log: { version: "1.2", ...live } }));
            const source = unwrap(await openSource({ file: path }));
            const again = await exported(source, false);
            source.close();
            assert.equal(again.pages, live.pages);
          });
        },
      ),
      { numRuns: rounds(15) },
    ));

  test("given pages and requests that Weir captured, has a page for each load, types and initiators", () => {
    const load = (first: number): readonly Said[] => {
      const start = first * 10_000;
      const referer = "Referer: https://api.test/shop";
      const sketchOf = (id: number, at: number, target: string, contentType: string) => ({
        id: first + id,
        start: start + at,
        end: start + at + 40,
        target,
        client: "c",
        contentType,
      });
      return [
        {
          sketch: sketchOf(0, 0, "/shop", "text/html"),
          requestHeaders: ["Sec-Fetch-Dest: document"],
          responseHeaders: ["Content-Type: text/html"],
          responseBody: '<script src="/app.js"></script>',
        },
        {
          sketch: sketchOf(1, 50, "/app.js", "text/javascript"),
          requestHeaders: ["Sec-Fetch-Dest: script", referer],
          responseHeaders: ["Content-Type: text/javascript"],
          responseBody: 'fetch("/items")',
        },
        { sketch: sketchOf(2, 100, "/items", "text/plain"), requestHeaders: ["Sec-Fetch-Dest: empty", referer] },
      ];
    };
    return withStored([...load(1), ...load(11)], async (stored) => {
      const source = { ...stored, baseline: new Baseline([]), settings: DEFAULT_SETTINGS, version: "0.0.0" };
      for (const redact of [true, false]) {
        const { pages, entries } = await exported(source, redact);
        assert.equal(
          pages.map(({ id, title }) => [id, title]),
          [
            ["page_1", "https://api.test/shop"],
            ["page_2", "https://api.test/shop"],
          ],
        );
        assert.equal(
          entries.map(({ pageref, _resourceType: type }) => [pageref, type]),
          ["page_1", "page_2"].flatMap((id) => ["document", "script", "fetch"].map((type) => [id, type])),
        );
        const byPage = { type: "parser", url: "https://api.test/shop" };
        const frame = {
          functionName: "",
          scriptId: "",
          url: "https://api.test/app.js",
          lineNumber: 0,
          columnNumber: 0,
        };
        const byScript = { type: "script", stack: { callFrames: [frame] } };
        assert.equal(
          entries.map(({ _initiator: one }) => one ?? null),
          [null, byPage, byScript, null, byPage, byScript],
        );
      }
    });
  });

  test("given secrets in what a file says of them, leaves them out of a redacted export", () =>
    withFolder(async (folder) => {
      const path = join(folder, "a.har");
      const url = "https://a.test/0?token=s3cret-value-7";
      const pages = [{ startedDateTime: new Date(START).toISOString(), id: "p", title: url, pageTimings: {} }];
      const detail = JSON.stringify({ type: "script", stack: { callFrames: [{ url }] } });
      const entries = [entry(0, { pageref: "p", _initiator: url, _initiator_detail: detail })];
      writeFileSync(path, JSON.stringify({ log: { version: "1.2", pages, entries } }));
      const source = unwrap(await openSource({ file: path }));
      const log = JSON.stringify(await exported(source, true));
      source.close();
      assert.not.ok(log.includes("s3cret"), log);
      assert.ok(log.includes("https://a.test/0?token=REDACTED"));
    }));

  test("given rows without a page, has none", () => {
    const session = new Session();
    for (let id = 1; id <= 30; id += 1) session.apply(eventsOf(exchange({ id, start: id, end: id + 1 })));
    assert.equal(harPagesOf(session).pages, []);
  });
});
