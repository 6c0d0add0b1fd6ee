import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Milliseconds } from "../../../../../src/engine/model/units.ts";
import { Selection } from "../../../../../src/ui/state/selection.ts";
import { SubscriptionStore } from "../../../../../src/ui/state/subscription-store.ts";
import type { Matches, ViewDependencies } from "../../../../../src/ui/views/dependencies.ts";
import { chainsTab } from "../../../../../src/ui/views/performance/chains/chains.ts";
import { describe } from "../../../../support/describe.ts";
import { fakeChannel } from "../../../../support/fake-channel.ts";

describe("the tab Chains", (test) => {
  test("given chains before repeats or after, does tell the filter box the sum once both are counted", async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.nat(99), fc.nat(99), async (chainsFirst, chains, repeats) => {
        const { channel, sent, receive, enter } = fakeChannel();
        const told: (Matches | null)[] = [];
        const view = chainsTab({
          windows: new SubscriptionStore(channel, (run) => run),
          selection: new Selection(),
          showMatches: (matches) => void told.push(matches),
        } as ViewDependencies);
        enter({ kind: "open" });
        view.init.call(view as never);
        await null;
        const numberOf = (name: string): number => {
          const asked = sent.find((message) => message.type === "subscribe" && message.query.view === name);
          return asked?.type === "subscribe" ? asked.subscription : -1;
        };
        const chainsAnswer = (total: number, progress: number, revision: number) =>
          receive({
            type: "value",
            subscription: numberOf("chains"),
            revision,
            value: { chains: [], total, progress, leftOut: 0, chainGap: 50 as Milliseconds },
          });
        const answers = [
          () => {
            chainsAnswer(0, 0, 1);
            assert.equal(told, []);
            chainsAnswer(chains, 1, 2);
          },
          () =>
            receive({
              type: "window",
              subscription: numberOf("repeats"),
              revision: 1,
              list: { total: repeats, matched: repeats, from: 0, keys: [] },
              records: [],
            }),
        ];
        for (const answer of chainsFirst ? answers : answers.toReversed()) {
          assert.equal(told, []);
          answer();
        }
        assert.equal(told, [{ matched: repeats, total: chains + repeats, problem: null }]);
        view.destroy();
      }),
    );
  });
});
