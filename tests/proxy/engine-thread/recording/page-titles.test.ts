import { gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import { CurrentSession } from "../../../../extensions/proxy/engine-thread/recording/current-session.ts";
import { PageTitles } from "../../../../extensions/proxy/engine-thread/recording/page-titles.ts";
import { SessionStore } from "../../../../extensions/proxy/storage/sessions.ts";
import type { CaptureEvent } from "../../../../src/engine/capture/event.ts";
import { sessionTitleOf } from "../../../../src/engine/session/lists/session-title.ts";
import { describe } from "../../../support/describe.ts";
import { withFolder } from "../../../support/temporary-folder.ts";
import { answered, ended, moment, piece, started } from "../../storage/story.ts";

describe("titles of pages that are captured", (test) => {
  test("given documents, describes each page once by its title, and the session is named by the busiest", () =>
    withFolder(async (folder) => {
      const recordings = new CurrentSession(SessionStore.open(folder, 1024 ** 3), null);
      const titles = new PageTitles();
      const add = (events: readonly CaptureEvent[]) => {
        titles.addEvents(recordings.addEvents(events), recordings.session);
        return titles.read(recordings.session, recordings.reader());
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
      recordings.addEvents([...found, started(6, { head: referer, target: "/a.css" }), answered(6), ended(6)]);
      assert.is(sessionTitleOf(recordings.session).split(",")[0], "Shop");
      recordings.finish(moment(100));
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
