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

describe("windows held of the engine's data", (test) => {
  test("a list is asked for once the channel is open, shown as soon as it is answered, and acknowledged then", () => {
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

  test("a list that was expected is asked for once, by whoever shows it first", async () => {
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

  test("what was answered before anybody showed it is told to who does", async () => {
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

  test("a delta keeps the identity of records that did not change", () => {
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

  test("several changes within one frame are shown as one", () => {
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

  test("a delta that does not follow from what is held makes it ask anew and keep what it has", () => {
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

  test("a delta that leaves out a record which is not held makes it ask anew as well", () => {
    const { windows, open, receive, frame, subscriptions } = stage();
    const rows = windows.list(TRAFFIC, () => {});
    open();
    receive(whole(1, 1, [1]));
    receive({ type: "delta", subscription: 1, from: 1, revision: 2, list: list([1, 2]), records: [] });
    frame();
    assert.equal([subscriptions(), rows.rows().length], [[1, 2], 1]);
  });

  test("what was told before a command's reply is held when the reply comes", () => {
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

  test("the same query again asks nothing, nor does any once it was closed", () => {
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

  test("whoever was closed by another's change hears nothing of its own", () => {
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

  test("who looks at a value alone takes it along to another query", () => {
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

  test("a value whose query is refused stays as it was, and is not asked for again and again", () => {
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

  test("who looks at a value that was refused before is told why, at once", async () => {
    const { windows, open, receive } = stage();
    windows.value({ view: "exchange", exchange: 7 as never }, () => {});
    open();
    receive({ type: "refused", subscription: 1, revision: 0, problem: "Too much is asked." });
    const heard: (string | null)[] = [];
    const late = windows.value({ view: "exchange", exchange: 7 as never }, () => heard.push(late.problem));
    await null;
    assert.equal(heard, ["Too much is asked."]);
  });

  test("once Weir has ended another question is answered by that, and what was asked before stays true", async () => {
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

  test("what is first asked once Weir has ended is told that; what is lost for a moment is asked again", async () => {
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

  test("one of several who look at a value and closes another keeps it from hearing", async () => {
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

  test("a late answer to the query before is not taken for an answer to this one", () => {
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

  test("a refused query leaves the last rows and says why; the next answer ends it", () => {
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

  test("a list whose filter is refused can be scrolled: other rows of it are those of the filter before", () => {
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

  test("after a reconnect every subscription is made anew, and rows do not double", () => {
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

  test("a value is held whole, and null is a value", () => {
    const { windows, open, receive, frame } = stage();
    const exchange = windows.value({ view: "exchange", exchange: 7 as never }, () => {});
    open();
    assert.is(exchange.value, undefined);
    receive({ type: "value", subscription: 1, revision: 1, value: null });
    frame();
    assert.is(exchange.value, null);
  });

  test("a closed subscription says nothing more", () => {
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

  test("lists are asked for before the values of the same turn", async () => {
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

  test("a value that several look at is asked for once, and each hears of it until it looks away", async () => {
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

  test("who turns from a shared value to another leaves it to the others", async () => {
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
