import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { FindingName } from "../../../../src/engine/messages/finding-messages.ts";
import type { FromEngine } from "../../../../src/engine/messages/messages.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { Commands } from "../../../../src/ui/state/commands.ts";
import { Selection } from "../../../../src/ui/state/selection.ts";
import { SubscriptionStore } from "../../../../src/ui/state/subscription-store.ts";
import type { ViewDependencies } from "../../../../src/ui/views/dependencies.ts";
import { inspector } from "../../../../src/ui/views/inspector/inspector.ts";
import { describe } from "../../../support/describe.ts";
import { fakeChannel } from "../../../support/fake-channel.ts";
import { checkout } from "./detail.ts";

const FINDING: FindingName = {
  key: "a",
  kind: "n-plus-one",
  summary: "",
  confidence: "likely",
  time: 1,
  bytes: null,
  isUpTo: false,
};
const HEIGHT = 300;

/** The mounted panel, whose content lacks `hidden` px of height; frames run when the test calls `draw`. */
function mounted(hidden: () => number) {
  const { channel, sent, receive, enter } = fakeChannel();
  const frames: (() => void)[] = [];
  Object.assign(globalThis, {
    MutationObserver: class {
      observe(): void {}
      disconnect(): void {}
    },
    requestAnimationFrame: (frame: () => void) => frames.push(frame),
    cancelAnimationFrame: () => {},
    getComputedStyle: () => ({ gridRowStart: "auto" }),
  });
  const drawn: (() => void)[] = [];
  const scroller = { clientHeight: HEIGHT, scrollHeight: HEIGHT };
  const $root = {
    offsetHeight: HEIGHT,
    parentElement: null,
    removeEventListener: () => {},
    addEventListener: (_: string, changed: () => void) => drawn.push(changed),
    querySelectorAll: (selector: string) => (selector.includes(".fact-groups") ? [scroller] : []),
  };
  const selection = new Selection();
  selection.set({ exchange: 1 as ExchangeId });
  const deps = { windows: new SubscriptionStore(channel, (run) => run), selection, commands: new Commands(channel) };
  const view = Object.assign(inspector(deps as unknown as ViewDependencies), { $root, $nextTick: () => {} });
  enter({ kind: "open" });
  view.init.call(view as never);
  return {
    view,
    selection,
    answer: (id: number, findings: readonly FindingName[]) => {
      const last = sent.findLast((message) => message.type === "subscribe" && message.query.view === "exchange");
      const subscription = last?.type === "subscribe" ? last.subscription : 0;
      const value = checkout({ findings }, { id: id as ExchangeId });
      receive({ type: "value", subscription, revision: 1, value } as FromEngine);
      scroller.scrollHeight = HEIGHT + hidden();
      for (const changed of drawn) changed();
      for (const frame of frames.splice(0)) frame();
    },
  };
}

describe("inspector", (test) => {
  test("given findings that come late, keeps the height and lists them last, until the next exchange", async () => {
    const property = async (first: number, more: number, isLate: boolean) => {
      let hidden = first;
      const { view, selection, answer } = mounted(() => hidden);
      await null;
      answer(1, isLate ? [] : [FINDING]);
      const height = `min(${HEIGHT + first}px, 56%)`;
      assert.equal([view.height.height, view.areFindingsLate], [height, false]);
      hidden = first + more;
      answer(1, [FINDING]);
      const grown = `min(${HEIGHT + hidden}px, 56%)`;
      assert.equal([view.height.height, view.areFindingsLate], [isLate ? height : grown, isLate]);
      selection.set({ exchange: 2 as ExchangeId });
      answer(2, [FINDING]);
      assert.equal([view.height.height, view.areFindingsLate], [grown, false]);
      view.destroy();
    };
    const height = fc.integer({ min: 1, max: 200 });
    await fc.assert(fc.asyncProperty(height, height, fc.boolean(), property));
  });
});
