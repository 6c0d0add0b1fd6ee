import * as assert from "uvu/assert";
import type { FindingsState } from "../../../../../src/engine/messages/finding-messages.ts";
import { NO_WHERE } from "../../../../../src/engine/session/evaluation/where-record.ts";
import { findingsStateOf } from "../../../../../src/engine/session/queries/finding-state.ts";
import { Selection } from "../../../../../src/ui/state/selection.ts";
import { SubscriptionStore } from "../../../../../src/ui/state/subscription-store.ts";
import type { Matches, ViewDependencies } from "../../../../../src/ui/views/dependencies.ts";
import { findingsTab } from "../../../../../src/ui/views/performance/findings/findings.ts";
import { describe } from "../../../../support/describe.ts";
import { exchange } from "../../../../support/exchange.ts";
import { fakeChannel } from "../../../../support/fake-channel.ts";
import { foundOf } from "../../../../support/found.ts";
import { recorded } from "../../../../support/recorded.ts";

describe("Findings tab", (test) => {
  test("given an answer before the first search has ended, shows no counts", async () => {
    const { channel, sent, receive, enter } = fakeChannel();
    const told: (Matches | null)[] = [];
    const counts: (number | null)[] = [];
    const deps = {
      windows: new SubscriptionStore(channel, (run) => run),
      selection: new Selection(),
      showMatches: (matches: Matches | null) => void told.push(matches),
    } as unknown as ViewDependencies;
    const view = findingsTab(deps, (count) => void counts.push(count));
    enter({ kind: "open" });
    view.init.call(Object.assign(view, { $refs: {}, $nextTick: () => {} }) as never);
    await null;
    const asked = sent.find((message) => message.type === "subscribe");
    const value: FindingsState = { where: null, found: null, progress: 0 };
    receive({ type: "value", subscription: asked?.subscription ?? -1, revision: 1, value });
    assert.equal([told, counts], [[null], [null]]);
    view.destroy();
  });

  test("given findings before it is known where the time went, shows both at once", async () => {
    const { channel, sent, receive, enter } = fakeChannel();
    const counts: (number | null)[] = [];
    const deps = {
      windows: new SubscriptionStore(channel, (run) => run),
      selection: new Selection(),
      showMatches: () => {},
    } as unknown as ViewDependencies;
    const view = findingsTab(deps, (count) => void counts.push(count));
    enter({ kind: "open" });
    view.init.call(Object.assign(view, { $refs: {}, $nextTick: () => {} }) as never);
    await null;
    const subscription = sent.find((message) => message.type === "subscribe")?.subscription ?? -1;
    const found = findingsStateOf(recorded([exchange({ id: 1 })]), NO_WHERE, {
      progress: 1,
      leftOut: 0,
      found: foundOf([["errors", [1]]]),
    });
    receive({ type: "value", subscription, revision: 1, value: { ...found, where: null } });
    assert.equal([counts, view.rows.length, view.where], [[null], 0, null]);
    receive({ type: "value", subscription, revision: 2, value: found });
    assert.equal([counts, view.rows.length], [[null, 1], 1]);
    view.destroy();
  });
});
