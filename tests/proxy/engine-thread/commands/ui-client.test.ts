import { EventEmitter, once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as assert from "uvu/assert";
import { UiClient, UiClients } from "../../../../extensions/proxy/engine-thread/commands/ui-client.ts";
import type { FromEngine, Query } from "../../../../src/engine/messages/messages.ts";
import type { Shown } from "../../../../src/engine/messages/session-messages.ts";
import type { Context } from "../../../../src/engine/session/queries/context.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { contextOf } from "../../../support/recorded.ts";
import { handlerOf, handSocket } from "../../page-stage.ts";

const RANGE = { from: 0, count: 10 };
/** Rows that take several turns with this filter, because comments are not cached; all match it. */
const MANY = 30_000;
const DEAR = "users -comment:x";
const traffic = (filter: string): Query => ({
  view: "traffic",
  filter,
  sort: { column: "id", descending: true },
  range: RANGE,
});

/** A UI client over a session, with the messages it received. */
function seated(session: Session) {
  const heard: FromEngine[] = [];
  const carried: string[] = [];
  const { socket, say, tell } = handSocket((message) => heard.push(message));
  const page = new UiClient(
    socket,
    handlerOf(session, (type) => carried.push(type)),
  );
  page.start();
  const matched = () => heard.flatMap((message) => (message.type === "window" ? message.list.matched : []));
  return { page, heard, tell, say, carried, matched };
}

function sessionOf(rows: number): Session {
  const session = new Session();
  const made = exchange({ id: 1, target: "/users" });
  for (let id = 1; id <= rows; id += 1) session.add({ ...made, id: id as typeof made.id });
  return session;
}

describe("UI client", (test) => {
  test("given a subscription to a small list, sends the list at once", () => {
    const { tell, matched } = seated(sessionOf(3));
    tell({ type: "subscribe", subscription: 1, query: traffic("") });
    assert.equal(matched(), [3]);
  });

  test(
    "given a large list, searches it in parts and answers other subscriptions in between",
    async () => {
      const { tell, heard, matched } = seated(sessionOf(MANY));
      tell({ type: "subscribe", subscription: 1, query: traffic(DEAR) });
      assert.equal(matched(), []);
      tell({ type: "subscribe", subscription: 2, query: { view: "status" } });
      assert.equal(
        heard.map(({ type }) => type),
        ["welcome", "value"],
      );
      while (matched().length === 0) await setImmediate();
      assert.equal(matched(), [MANY]);

      tell({ type: "ack", subscription: 1, revision: 1 });
      tell({ type: "subscribe", subscription: 1, query: traffic("status:404 -comment:x") });
      tell({ type: "subscribe", subscription: 1, query: traffic("status:200 -comment:x") });
      while (matched().length === 1) await setImmediate();
      assert.equal(matched(), [MANY, MANY], "only what was asked last is answered");
    },
    { isLong: true },
  );

  test("given a command, replies once, with its value or the sentence that refuses it", async () => {
    const heard: FromEngine[] = [];
    const { socket, tell } = handSocket((message) => heard.push(message));
    const handler = handlerOf(sessionOf(0)).attach(() => {});
    const executed: typeof handler.execute = async ({ type }) => {
      if (type === "clear") throw new Error("There is nothing to clear.");
      return type === "new-session" ? undefined : { type };
    };
    new UiClient(socket, { attach: () => ({ ...handler, execute: executed }) }).start();
    for (const [number, type] of (["start-proxy", "new-session", "clear"] as const).entries())
      tell({ type: "command", number, command: { type } });
    await setImmediate();
    assert.equal(heard.slice(1), [
      { type: "reply", number: 0, ok: true, value: { type: "start-proxy" } },
      { type: "reply", number: 1, ok: true, value: null },
      { type: "reply", number: 2, ok: false, problem: "There is nothing to clear." },
    ]);
  });

  test("given a command that changes the shown session, sends the new one before the reply", async () => {
    const heard: FromEngine[] = [];
    const { socket, tell } = handSocket((message) => heard.push(message));
    const handler = handlerOf(sessionOf(0)).attach(() => {});
    let shown: Shown = { kind: "current" };
    const context = (): Context => {
      const one = handler.context();
      return { ...one, sessions: { ...one.sessions, shown: () => shown } };
    };
    const executed: typeof handler.execute = async ({ type }) => {
      if (type === "open-session") shown = { kind: "opening", session: "a", progress: 0 };
    };
    new UiClient(socket, { attach: () => ({ ...handler, context, execute: executed }) }).start();
    tell({ type: "subscribe", subscription: 1, query: { view: "shown" } });
    tell({ type: "ack", subscription: 1, revision: 1 });
    tell({ type: "command", number: 1, command: { type: "open-session", session: "a" } });
    tell({ type: "command", number: 2, command: { type: "dismiss-recovered" } });
    await setImmediate();
    const told = heard.slice(2).map((message) => (message.type === "value" ? message.value : message.type));
    assert.equal(told, [shown, "reply", "reply"]);
  });

  test("given an invalid command, refuses it, so that no view waits for its reply", () => {
    const { heard, say, carried } = seated(sessionOf(0));
    say('{"type":"command","number":7,"command":{"type":"set-setting","key":"theme","value":{"no":"setting"}}}');
    for (const text of [
      "",
      "{",
      '{"type":"command"}',
      '{"type":"subscribe","number":8}',
      '{"type":"command","number":-1}',
    ])
      say(text);
    const [, reply, ...more] = heard;
    assert.equal({ ...reply, problem: "" }, { type: "reply", number: 7, ok: false, problem: "" });
    assert.equal([carried, more], [[], []]);
  });

  test("given an invalid query, or one too many, refuses it, so that no view waits for its answer", () => {
    const { heard, say, tell } = seated(sessionOf(3));
    const refusals = () =>
      heard.flatMap((message) => (message.type === "refused" ? [[message.subscription, message.revision]] : []));
    say('{"type":"subscribe","subscription":8,"query":{"view":"traffic","filter":7}}');
    assert.equal(refusals(), [[8, 0]]);
    tell({ type: "ack", subscription: 8, revision: 0 });
    tell({ type: "subscribe", subscription: 8, query: traffic("") });
    say('{"type":"subscribe","subscription":8,"query":{"view":"no such view"}}');
    assert.equal(
      heard.slice(1).map(({ type }) => type),
      ["refused", "window", "refused"],
    );
    for (let subscription = 100; subscription < 165; subscription += 1)
      tell({ type: "subscribe", subscription, query: { view: "status" } });
    assert.equal(refusals().at(-1), [164, 0]);
    assert.match(JSON.stringify(heard.at(-1)), "64 subscriptions");
  });

  test("given a closed subscription or a closed window, stops searching", async () => {
    const { page, tell, matched } = seated(sessionOf(MANY));
    tell({ type: "subscribe", subscription: 1, query: traffic(DEAR) });
    tell({ type: "unsubscribe", subscription: 1 });
    tell({ type: "subscribe", subscription: 2, query: traffic(DEAR) });
    page.close();
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
    assert.equal(matched(), []);
  });

  test("given the same view under another number, reuses the rows that were found", async () => {
    const { tell, matched } = seated(sessionOf(MANY));
    tell({ type: "subscribe", subscription: 1, query: traffic(DEAR) });
    while (matched().length === 0) await setImmediate();
    tell({ type: "unsubscribe", subscription: 1 });
    tell({ type: "subscribe", subscription: 2, query: traffic(DEAR) });
    assert.equal(matched(), [MANY, MANY], "at once, though a first look takes several turns");
  });

  test("given a session that is no longer shown, frees it, also from closed views", async () => {
    let shown = sessionOf(3);
    const { socket, tell } = handSocket(() => {});
    const handler = handlerOf(new Session()).attach(() => {});
    const page = new UiClient(socket, { attach: () => ({ ...handler, context: () => contextOf(shown) }) });
    page.start();
    tell({ type: "subscribe", subscription: 1, query: traffic("users") });
    tell({ type: "unsubscribe", subscription: 1 });
    tell({ type: "subscribe", subscription: 2, query: { view: "status" } });
    tell({ type: "ack", subscription: 2, revision: 1 });
    const before = new WeakRef(shown.table);
    shown = sessionOf(1);
    page.flush();
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    do {
      // A WeakRef's target is kept alive for the rest of the turn in which it was read.
      await setImmediate();
      collect();
    } while (before.deref() !== undefined);
  });

  test("given a flush, returns true only if it sent a change; each message of the page is reported", async () => {
    const session = new Session();
    const notes: string[] = [];
    const { socket, tell } = handSocket(({ type }) => notes.push(type));
    const commands = handlerOf(session, () => notes.push("carried out"));
    const page = new UiClient(socket, commands, () => notes.push("heard"));
    page.start();
    assert.is(page.flush(), false, "nothing is asked");
    tell({ type: "subscribe", subscription: 1, query: traffic("") });
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

describe("connected UI clients", (test) => {
  test("given a change in a list, sends it to the page without a further message", async () => {
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

  test("given messages from a page and to it, reports only those from it", () => {
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

  test("given a broadcast, sends it to every open page and to no closed one", () => {
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
