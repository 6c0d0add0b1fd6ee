import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { SlowCause } from "../../../../../src/engine/messages/latency-messages.ts";
import { Selection } from "../../../../../src/ui/state/selection.ts";
import { SubscriptionStore } from "../../../../../src/ui/state/subscription-store.ts";
import type { Matches, ViewDependencies } from "../../../../../src/ui/views/dependencies.ts";
import { slowRequests } from "../../../../../src/ui/views/performance/slow/slow.ts";
import { describe } from "../../../../support/describe.ts";
import { fakeChannel } from "../../../../support/fake-channel.ts";

const CAUSES: readonly SlowCause[] = ["all", "server", "transfer", "connection", "weir", "none"];

/** The mounted tab on an open channel, with what it told the filter box. */
function mounted() {
  const { channel, sent, receive, enter } = fakeChannel();
  const windows = new SubscriptionStore(channel, (run) => run);
  const told: (Matches | null)[] = [];
  const showMatches = (matches: Matches | null) => void told.push(matches);
  const deps = { windows, selection: new Selection(), showMatches } as unknown as ViewDependencies;
  const view = slowRequests(deps, null);
  enter({ kind: "open" });
  view.init.call(view as never);
  const numberOf = (cause: SlowCause): number => {
    const asked = sent.find(
      (message) => message.type === "subscribe" && message.query.view === "slow" && message.query.cause === cause,
    );
    return asked?.type === "subscribe" ? asked.subscription : -1;
  };
  return {
    view,
    told,
    answer: (cause: SlowCause, matched: number, total: number) =>
      receive({
        type: "window",
        subscription: numberOf(cause),
        revision: 1,
        list: { total, matched, from: 0, keys: [] },
        records: [],
      }),
    refuse: (cause: SlowCause, problem: string) =>
      receive({ type: "refused", subscription: numberOf(cause), revision: 1, problem }),
  };
}

describe("Slow tab", (test) => {
  test("given answers in any order, does count a cause only once its own answer is there", () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...CAUSES], { minLength: CAUSES.length }),
        fc.array(fc.nat(99), { minLength: CAUSES.length, maxLength: CAUSES.length }),
        (order, counts) => {
          const { view, answer } = mounted();
          const answered = new Map<SlowCause, string>();
          for (const [index, cause] of order.entries()) {
            const count = counts[index] ?? 0;
            answer(cause, count, 99);
            answered.set(cause, String(count));
            assert.equal(
              view.causes.map(({ count }) => count),
              CAUSES.map((each) => answered.get(each) ?? ""),
            );
          }
          view.destroy();
        },
      ),
    );
  });

  test("given no slow request, does count 0; given a refused filter, does not", () => {
    const { view, answer, refuse } = mounted();
    answer("all", 0, 0);
    refuse("server", "Unknown field.");
    assert.equal(
      view.causes.map(({ count }) => count),
      ["0", "", "", "", "", ""],
    );
    view.destroy();
  });

  test("given the answer of another cause, does not tell the filter box how many match", () => {
    const { view, told, answer } = mounted();
    answer("weir", 3, 9);
    assert.equal(told, []);
    answer("all", 5, 9);
    assert.equal(told, [{ matched: 5, total: 9, searched: 1, problem: null }]);
    view.destroy();
  });

  test("given a chosen cause without requests, does say so at once", () => {
    const { view, told, answer } = mounted();
    for (const cause of CAUSES) answer(cause, cause === "weir" ? 0 : 4, 4);
    view.choose("weir");
    assert.is(view.empty, "filtered");
    assert.equal(told.at(-1), { matched: 0, total: 4, searched: 1, problem: null });
    view.destroy();
  });
});
