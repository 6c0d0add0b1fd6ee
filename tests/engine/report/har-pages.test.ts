import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { exportText } from "../../../extensions/proxy/export/export-text.ts";
import { openSource } from "../../../extensions/proxy/export/opened-source.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../src/engine/model/settings.ts";
import type { ExportSource } from "../../../src/engine/report/export-source.ts";
import { harPagesOf } from "../../../src/engine/report/har-pages.ts";
import { Baseline } from "../../../src/engine/session/lists/history.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { eventsOf } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { rounds } from "../../support/rounds.ts";
import { type Said, withStored } from "../../support/stored.ts";
import { withFolder } from "../../support/temporary-folder.ts";

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
      { numRuns: 15 },
    ));

  test("given pages and requests that Weir captured, has a page for each load, types and initiators", () => {
    const load = (first: number): readonly Said[] => {
      const start = first * 10_000;
      const referer = "Referer: https://api.test/shop";
      const sketchOf = (id: number, at: number, target: string, contentType: string) => ({
        ...{ id: first + id, start: start + at, end: start + at + 40, target, client: "c", contentType },
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
