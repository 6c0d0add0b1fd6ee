import * as assert from "uvu/assert";
import type { FromEngine, ToEngine } from "../../../src/engine/messages/messages.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../../src/engine/model/settings.ts";
import type { ChannelState } from "../../../src/ui/channel/channel.ts";
import { Commands } from "../../../src/ui/state/commands.ts";
import { Selection } from "../../../src/ui/state/selection.ts";
import { storeLayout } from "../../../src/ui/state/stored-layout.ts";
import { SubscriptionStore } from "../../../src/ui/state/subscription-store.ts";
import { describe } from "../../support/describe.ts";

/** The settings sent to the engine, in order. */
function page(first: "open" | "lost" = "open") {
  const toWindow: ((message: FromEngine) => void)[] = [];
  const settings: [string, unknown][] = [];
  const asked: number[] = [];
  let enter: (state: ChannelState) => void = () => {};
  const waiting: (() => void)[] = [];
  const channel = {
    send: (message: ToEngine) => {
      if (message.type === "subscribe") asked.push(message.subscription);
      if (message.type !== "command" || message.command.type !== "set-setting") return;
      settings.push([message.command.key, message.command.value]);
      for (const done of waiting.splice(0)) done();
    },
    onMessage: (listener: (message: FromEngine) => void) => void toWindow.push(listener),
    onState: (listener: (state: ChannelState) => void) => {
      enter = listener;
      listener({ kind: first });
    },
  };
  const selection = new Selection();
  const windows = new SubscriptionStore(channel, (run) => run);
  const enterWindows = enter;
  storeLayout({ windows, commands: new Commands(channel), selection });
  return {
    open: () => enterWindows({ kind: "open" }),
    selection,
    settings,
    told: () => new Promise<void>((resolve) => waiting.push(resolve)),
    /** Answers after the request was sent, and that is after the lists of the same turn. */
    answer: async (known: Partial<Settings>) => {
      await Promise.resolve();
      const value = { settings: { ...DEFAULT_SETTINGS, ...known } };
      const message = { type: "value", subscription: asked.at(-1), revision: 1, value } as unknown as FromEngine;
      for (const listener of toWindow) listener(message);
    },
  };
}

describe("stored layout of the window", (test) => {
  test("given stored settings, restores the arrangement and does not store it again", async () => {
    const { selection, settings, answer } = page();
    await answer({ panelHeight: 300, timelineLabels: 250, trafficColumns: ["+server"], trafficSort: "-latency" });
    const { panelHeight, timelineLabels, trafficColumns, trafficSort } = selection.now;
    assert.equal([panelHeight, timelineLabels, trafficColumns, trafficSort], [300, 250, ["+server"], "-latency"]);
    assert.equal(settings, []);
  });

  test("given a page that is not connected at first, restores the arrangement once connected", async () => {
    const { selection, open, answer } = page("lost");
    for (let turn = 0; turn < 3; turn += 1) await Promise.resolve();
    open();
    await answer({ panelHeight: 300 });
    assert.is(selection.now.panelHeight, 300);
  });

  test("given several changes, stores the last value of each kind", async () => {
    const { selection, settings, answer, told } = page();
    await answer({});
    selection.set({ trafficColumns: ["latency=90"] });
    selection.set({ trafficColumns: ["latency=91"], trafficSort: "size" });
    while (settings.length < 2) await told();
    assert.equal(settings, [
      ["trafficColumns", ["latency=91"]],
      ["trafficSort", "size"],
    ]);
  });

  test("given a change made before the stored settings arrive, keeps and stores that change", async () => {
    const { selection, settings, answer, told } = page();
    selection.set({ trafficColumns: [] });
    await answer({ trafficColumns: ["+server"], panelHeight: 200 });
    assert.equal([selection.now.trafficColumns, selection.now.panelHeight], [[], 200]);
    await told();
    assert.equal(settings, [["trafficColumns", []]]);
  });

  test("given an order in the address, keeps that one, and stores it", async () => {
    const { selection, settings, told, answer } = page();
    selection.set({ trafficSort: "size" });
    const stored = told();
    await answer({ trafficSort: "-latency" });
    await stored;
    assert.is(selection.now.trafficSort, "size");
    assert.equal(settings, [["trafficSort", "size"]]);
  });
});
