import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { endpointOf } from "../../../../src/engine/model/endpoint.ts";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import { Commands } from "../../../../src/ui/state/commands.ts";
import { Downloads } from "../../../../src/ui/state/downloads.ts";
import { PERFORMANCE_TABS, type PerformanceTab, Selection } from "../../../../src/ui/state/selection.ts";
import { SubscriptionStore } from "../../../../src/ui/state/subscription-store.ts";
import { UndoStack } from "../../../../src/ui/state/undo.ts";
import { performanceView } from "../../../../src/ui/views/performance/performance.ts";
import { describe } from "../../../support/describe.ts";
import { fakeChannel } from "../../../support/fake-channel.ts";

const PRODUCTS = endpointOf("GET", "https://api.shop.test", "/v1/products");

/** The mounted view, on a channel that never replies by itself. */
function mounted(selection = new Selection(), counted = { session: null as string | null, filter: "", findings: "" }) {
  const { channel, sent, receive, enter } = fakeChannel();
  const said: string[] = [];
  const commands = new Commands(channel);
  const focused: string[] = [];
  const tabOf = (name: string) => ({ focus: () => void focused.push(name) });
  const view = Object.assign(
    performanceView(
      {
        windows: new SubscriptionStore(channel, (run) => run),
        commands,
        selection,
        undo: new UndoStack(),
        downloads: new Downloads(channel, commands),
        now: () => 0 as Instant,
        announce: (text) => void said.push(text),
        copy: async () => {},
        showMatches: () => {},
        linkHere: null,
        openHub: null,
        openMenu: () => {},
        openReplay: () => {},
        openEdit: () => {},
        openExport: () => {},
        openComparison: () => {},
        openDifference: () => {},
        openExperiment: () => {},
      },
      counted,
    ),
    {
      $refs: {
        findingsTab: tabOf("findings"),
        latencyTab: tabOf("latency"),
        slowTab: tabOf("slow"),
        trendsTab: tabOf("trends"),
      } as unknown as Record<string, HTMLElement>,
    },
  ) as ReturnType<typeof performanceView> & { $refs: Record<string, HTMLElement> };
  enter({ kind: "open" });
  view.init.call(view as never);
  return {
    view,
    sent,
    said,
    selection,
    focused,
    answer: receive,
    /** The number of the open subscription of a view; `undefined` if there is none. */
    asked: (name: string) => {
      const open = new Map<number, string>();
      for (const message of sent) {
        if (message.type === "subscribe") open.set(message.subscription, message.query.view);
        if (message.type === "unsubscribe") open.delete(message.subscription);
      }
      return [...open].find(([, view]) => view === name)?.[0];
    },
  };
}

const key = (name: string) => ({ key: name, preventDefault() {} }) as KeyboardEvent;

describe("Performance view", (test) => {
  test("given a mounted view, subscribes to the summary and unsubscribes when destroyed", async () => {
    const { view, sent } = mounted();
    await null;
    view.destroy();
    assert.equal(
      sent.map((message) => (message.type === "subscribe" ? message.query.view : message.type)),
      ["summary", "unsubscribe"],
    );
  });

  test("given another session, forgets the count of findings; given a filter, asks again and keeps it so long", async () => {
    const property = async (tab: PerformanceTab, before: number, after: number) => {
      const { view, selection, answer, asked } = mounted();
      const findings = (subscription: number, matched: number) =>
        answer({ type: "value", subscription, revision: 1, value: { found: { matched } } as never });
      selection.set({ session: "a", performanceTab: tab });
      view.findingCount = String(before);
      selection.set({ endpoint: PRODUCTS });
      selection.set({ filter: "method:post" });
      await null;
      assert.is(view.findingCount, String(before));
      const own = asked("findings");
      assert.is(own === undefined, tab === "findings");
      if (own !== undefined) {
        findings(own, after);
        assert.is(view.findingCount, String(after));
        assert.is(asked("findings"), undefined);
      }
      selection.set({ session: null });
      assert.is(view.findingCount, "");
      view.destroy();
      assert.is(asked("findings"), undefined);
    };
    await fc.assert(fc.asyncProperty(fc.constantFrom(...PERFORMANCE_TABS), fc.nat(100), fc.nat(100), property));
  });

  test("given a filter, counts the slow requests that match it, and all of them without one", async () => {
    const property = async (whole: number, matched: number, isRefused: boolean) => {
      const { view, selection, answer, asked } = mounted();
      await null;
      const summary = { slices: [], bytes: 0, errorRate: null, ratePerMinute: 0, exchanges: 0, slow: whole } as never;
      answer({ type: "value", subscription: asked("summary") ?? 0, revision: 1, value: summary });
      assert.is(view.slowCount, String(whole));
      selection.set({ filter: "method:post" });
      assert.is(view.slowCount, String(whole));
      const subscription = asked("slow") ?? 0;
      const list = { total: whole, matched, from: 0, keys: [] };
      if (isRefused) answer({ type: "refused", subscription, revision: 1, problem: "No such term." });
      else answer({ type: "window", subscription, revision: 1, list, records: [] });
      assert.is(view.slowCount, String(isRefused ? whole : matched));
      selection.set({ filter: "" });
      assert.is(view.slowCount, String(whole));
      assert.is(asked("slow"), undefined);
      view.destroy();
    };
    await fc.assert(fc.asyncProperty(fc.nat(100), fc.nat(100), fc.boolean(), property));
  });

  test("given a view that was left, keeps the count of findings for its session and filter", () => {
    const [selection, counted] = [new Selection(), { session: null, filter: "", findings: "" }];
    const { view } = mounted(selection, counted);
    selection.set({ session: "a" });
    view.findingCount = "4";
    view.destroy();
    const again = mounted(selection, counted).view;
    assert.is(again.findingCount, "4");
    again.destroy();
    selection.set({ session: "b" });
    const other = mounted(selection, counted).view;
    assert.is(other.findingCount, "");
    other.destroy();
  });

  test("given arrow keys on the tabs, moves around the ends and takes the focus along", () => {
    const { view, focused } = mounted();
    const tabs = ["ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowRight", "Home"].map((name) => {
      view.onTabKey.call(view as never, key(name));
      return view.tab;
    });
    view.destroy();
    assert.equal(tabs, ["latency", "findings", "trends", "findings", "findings"]);
    assert.equal(focused, ["latency", "findings", "trends", "findings"]);
  });

  test("given an opened exchange, hides the endpoint panel and shows it again afterwards", () => {
    const { view, selection } = mounted();
    const shown = [{ endpoint: PRODUCTS }, { exchange: 7 as ExchangeId }, { exchange: null }, { endpoint: null }].map(
      (change) => {
        selection.set(change);
        return view.panelOpen;
      },
    );
    view.destroy();
    assert.equal(shown, [true, false, true, false]);
  });

  test("given a tab in the selection, shows that tab, and writes a chosen tab there", () => {
    const { view, selection } = mounted();
    selection.set({ performanceTab: "trends" });
    assert.is(view.tab, "trends");
    view.show("payload");
    assert.equal([view.tab, selection.now.performanceTab], ["payload", "payload"]);
    view.destroy();
  });

  test("given a view that is mounted again, shows the tab left last", () => {
    const { view, selection } = mounted();
    const tabAgain = () => {
      const again = mounted(selection).view;
      again.destroy();
      return again.tab;
    };
    const tabs = [view.tab];
    view.show("chains");
    tabs.push(tabAgain());
    view.showSlowOf(PRODUCTS);
    tabs.push(tabAgain());
    view.destroy();
    assert.equal(tabs, ["findings", "chains", "slow"]);
  });
});
