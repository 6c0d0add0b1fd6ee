import * as assert from "uvu/assert";
import type { PageSocket } from "../../extensions/proxy/channel/loopback.ts";
import { Page } from "../../extensions/proxy/page.ts";
import type { ToEngine } from "../../src/engine/messages/messages.ts";
import { Session } from "../../src/engine/session/session.ts";
import { instant } from "../support/capture.ts";
import { describe } from "../support/describe.ts";
import { exchange } from "../support/exchange.ts";
import { contextOf } from "../support/recorded.ts";

describe("a quiet page", (test) => {
  test("a flush says whether there was anything to tell, and what the page says is noted", async () => {
    const session = new Session();
    const notes: string[] = [];
    let say: (text: string) => void = () => {};
    const socket: PageSocket = {
      send: (text) => notes.push((JSON.parse(text) as { readonly type: string }).type),
      onMessage: (listener) => {
        say = listener;
      },
      onClose: () => {},
    };
    const desk = {
      seat: () => ({
        context: () => contextOf(session),
        carryOut: async () => notes.push("carried out"),
        close: () => {},
        now: () => instant(0),
      }),
    };
    const page = new Page(socket, desk, () => notes.push("heard"));
    const tell = (message: ToEngine) => say(JSON.stringify(message));
    assert.is(page.flush(), false, "nothing is asked");
    const sort = { column: "id", descending: true } as const;
    tell({
      type: "subscribe",
      subscription: 1,
      query: { view: "traffic", filter: "", sort, range: { from: 0, count: 9 } },
    });
    assert.is(page.flush(), false, "nothing has changed");
    session.add(exchange({ id: 1, target: "/users" }));
    assert.is(page.flush(), false, "the last was not acknowledged yet");
    tell({ type: "ack", subscription: 1, revision: 1 });
    assert.is(page.flush(), true);
    tell({ type: "command", number: 1, command: { type: "clear" } });
    await Promise.resolve();
    assert.equal(notes, ["welcome", "window", "heard", "heard", "delta", "carried out", "heard", "heard", "reply"]);
  });
});
