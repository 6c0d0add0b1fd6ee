import * as assert from "uvu/assert";
import type { FromEngine, ToEngine } from "../../../src/engine/messages/messages.ts";
import type { Shown } from "../../../src/engine/messages/session-messages.ts";
import type { Endpoint } from "../../../src/engine/model/endpoint.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { AddressBar } from "../../../src/ui/state/address-bar.ts";
import { Commands } from "../../../src/ui/state/commands.ts";
import { Selection } from "../../../src/ui/state/selection.ts";
import { SubscriptionStore } from "../../../src/ui/state/subscription-store.ts";
import { describe } from "../../support/describe.ts";
import { fakeChannel } from "../../support/fake-channel.ts";

const [SEVEN, EIGHT] = [7 as ExchangeId, 8 as ExchangeId];

/** A window with a history of its own, and an engine that knows the sessions `now` (the current one) and `old`. */
function page(fragment = "") {
  const entries = [fragment];
  let at = 0;
  let [input, turn, moved] = [() => {}, () => {}, () => {}];
  const history = {
    get fragment() {
      return entries[at] ?? "";
    },
    write: (text: string, isNew: boolean) => {
      if (isNew) entries.splice(++at, Number.POSITIVE_INFINITY, text);
      else entries[at] = text;
    },
    onMove: (listener: () => void) => {
      moved = listener;
    },
    onInput: (listener: () => void) => {
      input = listener;
    },
    onTurn: (listener: () => void) => {
      turn = listener;
    },
  };
  const selection = new Selection();
  const announced: string[] = [];
  const opened: string[] = [];
  let shownBy: number | null = null;
  const show = (value: Shown): void => {
    if (value.kind !== "opening") {
      const session = value.kind === "stored" ? value.session : "now";
      const isOther = selection.now.session !== null && selection.now.session !== session;
      selection.set({ session, ...(isOther ? { exchange: null, endpoint: null, finding: null, between: null } : {}) });
    }
    receive({ type: "value", subscription: shownBy ?? 0, revision: 1, value } as FromEngine);
  };
  const answer = (message: ToEngine): void => {
    if (message.type === "subscribe" && message.query.view === "shown") {
      shownBy = message.subscription;
      queueMicrotask(() => show({ kind: "current" }));
    }
    if (message.type !== "command") return;
    const { command, number } = message;
    if (command.type === "open-session") opened.push(command.session);
    queueMicrotask(() => {
      const session = command.type === "open-session" ? command.session : "now";
      if (!["now", "old"].includes(session))
        return receive({ type: "reply", number, ok: false, problem: "This session was deleted." });
      show(
        session === "now"
          ? { kind: "current" }
          : ({ kind: "stored", session, name: "", startedAt: 0, endedAt: 1, problem: null } as unknown as Shown),
      );
      receive({ type: "reply", number, ok: true, value: null });
    });
  };
  const { channel, receive, enter } = fakeChannel(answer);
  const windows = new SubscriptionStore(channel, (run) => run);
  const commands = new Commands(channel);
  const bar = new AddressBar({ selection, windows, commands, history, announce: (text) => announced.push(text) });
  enter({ kind: "open" });
  /** Lets replies arrive, which come in microtasks. */
  const settle = async (): Promise<void> => {
    for (let turns = 0; turns < 50; turns += 1) await Promise.resolve();
  };
  return {
    bar,
    selection,
    entries,
    announced,
    opened,
    settle,
    get fragment() {
      return history.fragment;
    },
    /** A change by a key. */
    async key(change: Parameters<Selection["set"]>[0]): Promise<void> {
      input();
      selection.set(change);
      await settle();
    },
    /** A change by a click. */
    async click(change: Parameters<Selection["set"]>[0]): Promise<void> {
      turn();
      input();
      selection.set(change);
      await settle();
    },
    async go(steps: number): Promise<void> {
      at += steps;
      moved();
      await settle();
    },
  };
}

describe("address bar", (test) => {
  test("given a link to copy, names the session, so that a later one does not show another place", async () => {
    const window = page();
    await window.settle();
    await window.click({ view: "performance", performanceTab: "latency", filter: "slow:" });
    assert.is(window.bar.link, "#/performance/latency?session=now&f=slow:");
    await window.bar.open("#/traffic?session=old");
    await window.settle();
    assert.is(window.bar.link, "#/traffic?session=old");
  });

  test("given clicks, has an entry for each; Back and Forward show them again", async () => {
    const window = page();
    await window.settle();
    await window.click({ view: "performance", performanceTab: "latency" });
    await window.click({ tableSort: "-p50" });
    await window.click({ endpoint: "GET https://a.test/x" as Endpoint });
    assert.equal(window.entries, [
      "#/traffic",
      "#/performance/latency",
      "#/performance/latency?sort=-p50",
      "#/performance/latency?sort=-p50&endpoint=GET%20https://a.test/x",
    ]);
    await window.go(-1);
    assert.is(window.selection.now.endpoint, null);
    await window.go(-1);
    assert.is(window.selection.now.tableSort, null);
    await window.go(-1);
    assert.is(window.selection.now.view, "traffic");
    await window.go(3);
    const { view, performanceTab, tableSort, endpoint } = window.selection.now;
    assert.equal(
      [view, performanceTab, tableSort, endpoint],
      ["performance", "latency", "-p50", "GET https://a.test/x"],
    );
    assert.is(window.entries.length, 4);
  });

  test("given letters typed into the filter, has one entry for the word", async () => {
    const window = page();
    await window.settle();
    for (const filter of ["s", "sh", "shop"]) await window.key({ filter });
    await window.click({ filter: "shop status:404" });
    assert.equal(window.entries, ["#/traffic", "#/traffic?f=shop", "#/traffic?f=shop%20status:404"]);
    await window.go(-2);
    assert.is(window.selection.now.filter, "");
  });

  test("given arrow keys beside an open exchange, changes its entry; closing it is one of its own", async () => {
    const window = page();
    await window.settle();
    await window.click({ exchange: SEVEN });
    await window.key({ exchange: EIGHT });
    await window.key({ exchange: null });
    assert.equal(window.entries, ["#/traffic", "#/traffic?session=now&id=8", "#/traffic"]);
  });

  test("given a change that the user did not make, adds no entry", async () => {
    const window = page();
    await window.settle();
    await window.click({ view: "timeline" });
    window.selection.set({ between: { from: 1_000, to: 2_000 } as never });
    await window.settle();
    assert.equal(window.entries, ["#/traffic", "#/timeline?session=now&at=1000,2000"]);
  });

  test("given an address at the start, shows its place before the engine answers", () => {
    const window = page("#/performance/slow?f=host:a&open=requests");
    const { view, performanceTab, filter, opened } = window.selection.now;
    assert.equal([view, performanceTab, filter, opened], ["performance", "slow", "host:a", "requests"]);
  });

  test("given an address in a stored session, opens the session, then the exchange", async () => {
    const window = page("#/traffic?session=old&id=7&panel=timing");
    assert.is(window.selection.now.exchange, null, "not yet: it would be another session's");
    await window.settle();
    assert.equal(window.opened, ["old"]);
    assert.equal([window.selection.now.exchange, window.selection.now.inspectorTab], [SEVEN, "timing"]);
    assert.equal(window.entries, ["#/traffic?session=old&id=7&panel=timing"]);
    await window.click({ view: "settings", exchange: null });
    await window.go(-1);
    assert.equal(window.opened, ["old"], "it is still open");
    assert.is(window.selection.now.exchange, SEVEN);
  });

  test("given Back from a stored session, shows the recording again", async () => {
    const window = page("#/traffic");
    await window.settle();
    await window.bar.open("#/timeline?session=old");
    assert.equal([window.selection.now.session, window.fragment], ["old", "#/timeline?session=old"]);
    await window.go(-1);
    assert.equal([window.selection.now.session, window.selection.now.view], ["now", "traffic"]);
  });

  test("given a session that was deleted, says so and shows no exchange of another one", async () => {
    const window = page("#/traffic?session=gone&f=host:a&id=7");
    await window.settle();
    assert.equal(window.announced, ["This session was deleted."]);
    assert.equal([window.selection.now.exchange, window.selection.now.filter], [null, "host:a"]);
    assert.is(window.fragment, "#/traffic?f=host:a");
  });

  test("given a garbled address, replaces it by what it was taken for", async () => {
    const window = page("#/nowhere?id=-7&f=%zz");
    await window.settle();
    assert.equal(window.entries, ["#/traffic"]);
  });
});
