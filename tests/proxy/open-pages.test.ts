import { EventEmitter, once } from "node:events";
import * as assert from "uvu/assert";
import { OpenPages } from "../../extensions/proxy/open-pages.ts";
import type { FromEngine } from "../../src/engine/messages/messages.ts";
import { Session } from "../../src/engine/session/session.ts";
import { describe } from "../support/describe.ts";
import { exchange } from "../support/exchange.ts";
import { deskOf, handSocket } from "./page-stage.ts";

/** One that was opened, with the types of what it was told. */
function opened(pages: OpenPages, session = new Session()) {
  const told: string[] = [];
  const ear = new EventEmitter();
  const { socket, tell, close } = handSocket(({ type }: FromEngine) => {
    told.push(type);
    ear.emit(type);
  });
  pages.open(socket, deskOf(session));
  return { tell, close, told, heard: (type: FromEngine["type"]) => once(ear, type) };
}

describe("open pages", (test) => {
  test("a page is told by itself what has changed", async () => {
    const pages = new OpenPages();
    const session = new Session();
    const page = opened(pages, session);
    const range = { from: 0, count: 9 };
    const sort = { column: "id", descending: true } as const;
    page.tell({ type: "subscribe", subscription: 1, query: { view: "traffic", filter: "", sort, range } });
    page.tell({ type: "ack", subscription: 1, revision: 1 });
    session.add(exchange({ id: 1, target: "/users" }));
    await page.heard("delta");
    assert.equal(page.told, ["welcome", "window", "delta"]);
    pages.stop();
  });

  test("what nobody asked for is said to every page that is still open", () => {
    const pages = new OpenPages();
    assert.is(pages.isEmpty, true);
    const [first, second] = [opened(pages), opened(pages)];
    first.close();
    pages.broadcast({ type: "menu", item: "any" });
    pages.stop();
    assert.equal([first.told, second.told], [["welcome"], ["welcome", "menu"]]);
    second.close();
    assert.is(pages.isEmpty, true);
  });
});
