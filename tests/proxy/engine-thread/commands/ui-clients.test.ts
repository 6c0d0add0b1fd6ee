import { EventEmitter, once } from "node:events";
import * as assert from "uvu/assert";
import { UiClients } from "../../../../extensions/proxy/engine-thread/commands/ui-clients.ts";
import type { FromEngine } from "../../../../src/engine/messages/messages.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { handlerOf, handSocket } from "../../page-stage.ts";

/** A new UI client, with the types of the messages it received. */
function opened(pages: UiClients, session = new Session()) {
  const told: string[] = [];
  const ear = new EventEmitter();
  const { socket, tell, close } = handSocket(({ type }: FromEngine) => {
    told.push(type);
    ear.emit(type);
  });
  pages.open(socket, handlerOf(session));
  return { tell, close, told, heard: (type: FromEngine["type"]) => once(ear, type) };
}

describe("open pages", (test) => {
  test("a page is told by itself what has changed", async () => {
    const pages = new UiClients(() => {});
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

  test("each message of a page is reported, nothing that it is told", () => {
    let messages = 0;
    const pages = new UiClients(() => {
      messages += 1;
    });
    const page = opened(pages);
    pages.broadcast({ type: "menu", item: "any" });
    assert.is(messages, 0);
    page.tell({ type: "ack", subscription: 1, revision: 1 });
    page.tell({ type: "ack", subscription: 1, revision: 2 });
    pages.stop();
    assert.is(messages, 2);
  });

  test("what nobody asked for is said to every page that is still open", () => {
    const pages = new UiClients(() => {});
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
