import * as assert from "uvu/assert";
import type { FromEngine } from "../../../src/engine/messages/messages.ts";
import type { TrafficRecord } from "../../../src/engine/messages/traffic-messages.ts";
import { SubscriptionStore } from "../../../src/ui/state/subscription-store.ts";
import { describe } from "../../support/describe.ts";
import { fakeChannel } from "../../support/fake-channel.ts";

/** A channel whose other end is the test, and frames that run when the test says so. */
function stage() {
  const { channel, sent, receive, enter } = fakeChannel();
  let frame: () => void = () => {};
  const windows = new SubscriptionStore(channel, (run) => {
    let isDue = false;
    frame = () => {
      if (isDue) run();
      isDue = false;
    };
    return () => {
      isDue = true;
    };
  });
  return {
    windows,
    sent,
    open: () => enter({ kind: "open" }),
    lose: () => enter({ kind: "lost" }),
    end: () => enter({ kind: "closed", reason: "Weir has exited." }),
    receive,
    frame: () => frame(),
    subscriptions: () => sent.filter((message) => message.type === "subscribe").map(({ subscription }) => subscription),
  };
}

const TRAFFIC = {
  view: "traffic",
  filter: "",
  sort: { column: "startTime", descending: false },
  range: { from: 0, count: 10 },
} as const;

function record(id: number, status = 200): TrafficRecord {
  return { id, status } as unknown as TrafficRecord;
}

function list(keys: readonly number[]) {
  return { total: keys.length, matched: keys.length, from: 0, keys };
}

function whole(subscription: number, revision: number, ids: readonly number[]): FromEngine {
  return { type: "window", subscription, revision, list: list(ids), records: ids.map((id) => record(id)) };
}

describe("subscription store", (test) => {
  test("given a list, requests it once the channel is open, and notifies and acknowledges when rows arrive", () => {
    const { windows, sent, open, receive } = stage();
    let changes = 0;
    const rows = windows.list(TRAFFIC, () => {
      changes += 1;
    });
    assert.is(sent.length, 0);
    open();
    assert.equal(sent, [{ type: "subscribe", subscription: 1, query: TRAFFIC }]);
    receive(whole(1, 1, [1, 2]));
    assert.is(changes, 1);
    assert.equal(
      rows.rows().map(({ id }) => id),
      [1, 2],
    );
    assert.equal(sent.at(-1), { type: "ack", subscription: 1, revision: 1 });
  });

  test("given a prefetched list, requests it once and hands it to the first subscriber of the same query", async () => {
    const { windows, open, receive, subscriptions } = stage();
    windows.prefetch(TRAFFIC);
    open();
    const other = windows.list({ ...TRAFFIC, filter: "other" }, () => {});
    let changes = 0;
    const rows = windows.list(TRAFFIC, () => {
      changes += 1;
    });
    assert.equal(subscriptions(), [1, 2]);
    receive(whole(1, 1, [1, 2]));
    assert.equal([changes, rows.rows().length, other.rows().length], [1, 2, 0]);
    const second = windows.list(TRAFFIC, () => {});
    assert.equal(subscriptions(), [1, 2, 3], "it is somebody's now");
    assert.not(second.answered);
  });

  test("given rows that arrived before their first subscriber, notifies it in the next microtask", async () => {
    const { windows, open, receive } = stage();
    windows.prefetch(TRAFFIC);
    open();
    receive(whole(1, 1, [1, 2]));
    let seen = 0;
    const rows = windows.list(TRAFFIC, () => {
      seen = rows.rows().length;
    });
    assert.is(seen, 0, "not while it is being made");
    await Promise.resolve();
    assert.is(seen, 2);
  });

  test("given a delta, keeps the identity of records that did not change", () => {
    const { windows, open, receive, frame } = stage();
    const rows = windows.list(TRAFFIC, () => {});
    open();
    receive(whole(1, 1, [1, 2]));
    frame();
    const [first, second] = rows.rows();
    receive({
      type: "delta",
      subscription: 1,
      from: 1,
      revision: 2,
      list: list([2, 1, 3]),
      records: [record(2, 500), record(3)],
    });
    frame();
    const now = rows.rows();
    assert.is(now[1], first);
    assert.is.not(now[0], second);
    assert.is(now[0]?.status, 500);
    assert.ok(Object.isFrozen(now) && Object.isFrozen(now[2]));
    assert.equal(rows.state, list([2, 1, 3]));
  });

  test("given several deltas within one frame, notifies once", () => {
    const { windows, open, receive, frame } = stage();
    let changes = 0;
    windows.list(TRAFFIC, () => {
      changes += 1;
    });
    open();
    receive(whole(1, 1, [1]));
    assert.is(changes, 1);
    receive({ type: "delta", subscription: 1, from: 1, revision: 2, list: list([1, 2]), records: [record(2)] });
    receive({ type: "delta", subscription: 1, from: 2, revision: 3, list: list([1, 2, 3]), records: [record(3)] });
    assert.is(changes, 1);
    frame();
    assert.is(changes, 2);
  });

  test("given a delta that does not follow the held revision, subscribes anew and keeps the rows until then", () => {
    const { windows, sent, open, receive, frame, subscriptions } = stage();
    const rows = windows.list(TRAFFIC, () => {});
    open();
    receive(whole(1, 1, [1]));
    frame();
    receive({ type: "delta", subscription: 1, from: 5, revision: 6, list: list([1, 2]), records: [record(2)] });
    frame();
    assert.equal(subscriptions(), [1, 2]);
    assert.ok(sent.some((message) => message.type === "unsubscribe" && message.subscription === 1));
    assert.is(rows.rows().length, 1);
  });

  test("given a delta that lacks a record it refers to, subscribes anew and keeps the rows until then", () => {
    const { windows, open, receive, frame, subscriptions } = stage();
    const rows = windows.list(TRAFFIC, () => {});
    open();
    receive(whole(1, 1, [1]));
    receive({ type: "delta", subscription: 1, from: 1, revision: 2, list: list([1, 2]), records: [] });
    frame();
    assert.equal([subscriptions(), rows.rows().length], [[1, 2], 1]);
  });

  test("given a value that arrives before a command's reply, shows that value when the reply arrives", () => {
    const { windows, open, receive } = stage();
    const status = windows.value({ view: "shown" }, () => {});
    open();
    receive({ type: "value", subscription: 1, revision: 1, value: { kind: "current" } });
    const opening = { kind: "opening", session: "a", progress: 0 } as const;
    receive({ type: "value", subscription: 1, revision: 2, value: opening });
    assert.equal(status.value, { kind: "current" }, "which waits for the next frame");
    receive({ type: "reply", number: 1, ok: true, value: null });
    assert.equal(status.value, opening);
  });

  test("given an unchanged query or a closed subscription, sends no request on an update", () => {
    const { windows, open, lose, subscriptions } = stage();
    open();
    const rows = windows.list(TRAFFIC, () => {});
    rows.update({ ...TRAFFIC });
    assert.equal(subscriptions(), [1]);
    rows.close();
    rows.update({ ...TRAFFIC, filter: "late" });
    lose();
    open();
    assert.equal(subscriptions(), [1]);
  });

  test("given a list closed by another list's listener, does not call its own listener any more", () => {
    const { windows, open, receive, frame } = stage();
    const heard: string[] = [];
    const closing = windows.list(TRAFFIC, () => {
      heard.push("first");
      if (closing.answered && heard.length > 2) second.close();
    });
    const second = windows.list({ ...TRAFFIC, filter: "x" }, () => heard.push("second"));
    open();
    receive(whole(1, 1, [1]));
    receive(whole(2, 1, [1]));
    for (const subscription of [1, 2])
      receive({ type: "delta", subscription, from: 1, revision: 2, list: list([1, 2]), records: [record(2)] });
    frame();
    assert.equal(heard, ["first", "second", "first"]);
  });

  test("given another query by a value's only subscriber, keeps showing the old value until the new one arrives", () => {
    const { windows, sent, open, receive } = stage();
    const exchange = windows.value({ view: "exchange", exchange: 7 as never }, () => {});
    open();
    receive({ type: "value", subscription: 1, revision: 1, value: { id: 7 } as never });
    exchange.update({ view: "exchange", exchange: 8 as never });
    assert.equal(sent.slice(-2), [
      { type: "unsubscribe", subscription: 1 },
      { type: "subscribe", subscription: 2, query: { view: "exchange", exchange: 8 } },
    ]);
    assert.equal(exchange.value, { id: 7 }, "it stays until there is another");
  });

  test("given a refused query of a value, keeps the old value with the problem and does not repeat the request", () => {
    const { windows, open, receive, frame, subscriptions } = stage();
    const picked = windows.value({ view: "picked", filter: "", sort: TRAFFIC.sort, stretches: [] }, () => {});
    open();
    receive({ type: "value", subscription: 1, revision: 1, value: { count: 3 } as never });
    receive({ type: "refused", subscription: 1, revision: 2, problem: "status: needs a number" });
    frame();
    assert.equal(picked.value, { count: 3 });
    assert.is(picked.problem, "status: needs a number");
    assert.equal(subscriptions(), [1]);
    receive({ type: "value", subscription: 1, revision: 3, value: { count: 4 } as never });
    frame();
    assert.is(picked.problem, null);
  });

  test("given a query that was refused before, tells a later subscriber the reason at once", async () => {
    const { windows, open, receive } = stage();
    windows.value({ view: "exchange", exchange: 7 as never }, () => {});
    open();
    receive({ type: "refused", subscription: 1, revision: 0, problem: "Too much is asked." });
    const heard: (string | null)[] = [];
    const late = windows.value({ view: "exchange", exchange: 7 as never }, () => heard.push(late.problem));
    await null;
    assert.equal(heard, ["Too much is asked."]);
  });

  test("given a closed engine, answers another query with the reason, and keeps the rows already received", async () => {
    const { windows, sent, open, end, receive } = stage();
    let changes = 0;
    const rows = windows.list(TRAFFIC, () => {
      changes += 1;
    });
    open();
    receive(whole(1, 1, [1, 2]));
    end();
    await null;
    assert.equal([rows.problem, rows.answered, changes], [null, true, 1], "these rows are those that were asked for");
    rows.update({ ...TRAFFIC, range: { from: 0, count: 50 } });
    await null;
    assert.is(rows.problem, null, "other rows of the same list are no other question");
    rows.update({ ...TRAFFIC, filter: "status:5xx" });
    await null;
    assert.equal([rows.problem, rows.answered, rows.isDisconnected, changes], ["Weir has exited.", false, true, 2]);
    assert.is(rows.rows().length, 2);
    rows.update(TRAFFIC);
    await null;
    assert.equal([rows.problem, rows.answered, rows.isDisconnected, changes], [null, true, false, 3]);
    assert.equal(
      sent.map(({ type }) => type),
      ["subscribe", "ack"],
    );
  });

  test("given a first query while disconnected, reports the state of the connection, and asks again once open", async () => {
    const { windows, open, lose, receive, frame, subscriptions } = stage();
    const early = windows.value({ view: "summary" }, () => {});
    await null;
    assert.is(early.problem, null, "nothing is wrong while the channel is dialled");
    open();
    lose();
    const heard: (string | null)[] = [];
    const exchange = windows.value({ view: "exchange", exchange: 7 as never }, () => heard.push(exchange.problem));
    await null;
    await null;
    assert.equal(heard, ["Weir is reconnecting. Try again in a moment."]);
    open();
    receive({ type: "value", subscription: 3, revision: 1, value: null });
    frame();
    assert.equal([subscriptions(), heard.at(-1)], [[1, 2, 3], null]);
  });

  test("given a value's subscription closed by another one's listener, does not call its own listener any more", async () => {
    const { windows, open, receive, frame } = stage();
    open();
    const heard: string[] = [];
    windows.value({ view: "summary" }, () => {
      heard.push("first");
      if (heard.length > 2) second.close();
    });
    const second = windows.value({ view: "summary" }, () => heard.push("second"));
    await null;
    receive({ type: "value", subscription: 1, revision: 1, value: null });
    receive({ type: "value", subscription: 1, revision: 2, value: null });
    frame();
    assert.equal(heard, ["first", "second", "first"]);
  });

  test("given a late answer to the previous query, ignores it", () => {
    const { windows, open, receive, frame } = stage();
    const rows = windows.list(TRAFFIC, () => {});
    open();
    rows.update({ ...TRAFFIC, filter: "status:5xx" });
    receive(whole(1, 1, [1, 2, 3]));
    frame();
    assert.is(rows.rows().length, 0);
    assert.not(rows.answered);
    receive(whole(2, 1, [3]));
    frame();
    assert.equal(
      rows.rows().map(({ id }) => id),
      [3],
    );
    assert.ok(rows.answered);
  });

  test("given a refused query, keeps the last rows with the problem, until the next answer arrives", () => {
    const { windows, open, receive, frame } = stage();
    const rows = windows.list(TRAFFIC, () => {});
    open();
    receive(whole(1, 1, [1]));
    frame();
    rows.update({ ...TRAFFIC, filter: "status:" });
    receive({ type: "refused", subscription: 2, revision: 1, problem: "status: needs a number" });
    frame();
    assert.is(rows.problem, "status: needs a number");
    assert.is(rows.rows().length, 1);
    rows.update({ ...TRAFFIC, filter: "status:200" });
    receive(whole(3, 1, []));
    frame();
    assert.is(rows.problem, null);
    assert.is(rows.rows().length, 0);
  });

  test("given a refused filter, scrolls through the rows of the filter before and keeps the problem", () => {
    const { windows, sent, open, lose, receive, frame } = stage();
    const asked = () => sent.flatMap((message) => (message.type === "subscribe" ? [message.query] : [])).at(-1);
    const rows = windows.list(TRAFFIC, () => {});
    open();
    receive(whole(1, 1, [1]));
    const refused = { ...TRAFFIC, filter: "status:" };
    rows.update(refused);
    receive({ type: "refused", subscription: 2, revision: 1, problem: "status: needs a number" });
    frame();
    const below = { from: 90, count: 10 };
    rows.update({ ...refused, range: below });
    assert.equal(asked(), { ...TRAFFIC, range: below });
    assert.equal(
      [rows.problem, rows.isDisconnected],
      ["status: needs a number", false],
      "while they are on their way, too",
    );
    receive(whole(3, 1, [91, 92]));
    frame();
    assert.equal([rows.rows().length, rows.problem, rows.answered], [2, "status: needs a number", true]);
    lose();
    open();
    assert.equal(asked(), { ...refused, range: below }, "another conversation may take it");
    receive({ type: "refused", subscription: 4, revision: 1, problem: "status: needs a number" });
    rows.update({ ...TRAFFIC, filter: "status:200" });
    assert.equal(asked(), { ...TRAFFIC, filter: "status:200" });
    receive(whole(5, 1, [92]));
    frame();
    assert.is(rows.problem, null);
  });

  test("given a reconnect, renews every subscription without duplicating rows", () => {
    const { windows, open, lose, receive, frame, subscriptions } = stage();
    const rows = windows.list(TRAFFIC, () => {});
    windows.value({ view: "summary" }, () => {});
    open();
    receive(whole(1, 1, [1, 2]));
    frame();
    lose();
    open();
    assert.equal(subscriptions(), [1, 2, 3, 4]);
    receive(whole(3, 1, [1, 2, 3]));
    frame();
    assert.is(rows.rows().length, 3);
  });

  test("given a value that is null, treats it as a value instead of a missing one", () => {
    const { windows, open, receive, frame } = stage();
    const exchange = windows.value({ view: "exchange", exchange: 7 as never }, () => {});
    open();
    assert.is(exchange.value, undefined);
    receive({ type: "value", subscription: 1, revision: 1, value: null });
    frame();
    assert.is(exchange.value, null);
  });

  test("given a closed subscription, does not notify it any more", () => {
    const { windows, sent, open, receive, frame } = stage();
    let changes = 0;
    const rows = windows.list(TRAFFIC, () => {
      changes += 1;
    });
    open();
    receive(whole(1, 1, [1]));
    receive({ type: "delta", subscription: 1, from: 1, revision: 2, list: list([1, 2]), records: [record(2)] });
    rows.close();
    frame();
    assert.is(changes, 1);
    assert.equal(sent.at(-1), { type: "unsubscribe", subscription: 1 });
  });

  test("given lists and values in the same turn, requests the lists first", async () => {
    const { windows, sent, open } = stage();
    open();
    windows.value({ view: "summary" }, () => {});
    windows.list(TRAFFIC, () => {});
    await null;
    assert.equal(
      sent.map((message) => message.type === "subscribe" && message.query.view),
      ["traffic", "summary"],
    );
  });

  test("given several subscribers to one value, requests it once and notifies each until it is closed", async () => {
    const { windows, sent, open, receive, frame, subscriptions } = stage();
    open();
    const heard: string[] = [];
    const first = windows.value({ view: "summary" }, () => heard.push("first"));
    await null;
    receive({ type: "value", subscription: 1, revision: 1, value: null });
    const second = windows.value({ view: "summary" }, () => heard.push("second"));
    await null;
    assert.equal(heard, ["first", "second"], "who comes later is told what is held already");
    assert.is(second.value, null);
    first.close();
    receive({ type: "value", subscription: 1, revision: 2, value: null });
    frame();
    assert.equal(heard, ["first", "second", "second"]);
    assert.equal(subscriptions(), [1]);
    second.close();
    assert.equal(sent.at(-1), { type: "unsubscribe", subscription: 1 });
  });

  test("given one of several subscribers with another query, leaves the shared value to the others", async () => {
    const { windows, open, receive, subscriptions } = stage();
    open();
    const turning = windows.value({ view: "exchange", exchange: 7 as never }, () => {});
    const staying = windows.value({ view: "exchange", exchange: 7 as never }, () => {});
    await null;
    receive({ type: "value", subscription: 1, revision: 1, value: null });
    turning.update({ view: "exchange", exchange: 8 as never });
    await null;
    assert.is(turning.value, null, "it stays until there is another");
    receive({ type: "value", subscription: 2, revision: 1, value: { id: 8 } as never });
    assert.equal(turning.value, { id: 8 });
    assert.is(staying.value, null);
    assert.equal(subscriptions(), [1, 2]);
  });
});
