import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { RepeatRecord } from "../../../../../src/engine/messages/chain-messages.ts";
import type { ExchangeId, Instant, Milliseconds } from "../../../../../src/engine/model/units.ts";
import { Selection } from "../../../../../src/ui/state/selection.ts";
import { SubscriptionStore } from "../../../../../src/ui/state/subscription-store.ts";
import type { Matches, ViewDependencies } from "../../../../../src/ui/views/dependencies.ts";
import { chainsTab, moreRepeatsText, repeatRowOf } from "../../../../../src/ui/views/performance/chains/chains.ts";
import { describe } from "../../../../support/describe.ts";
import { fakeChannel } from "../../../../support/fake-channel.ts";

describe("Chains tab", (test) => {
  test("given chains and repeats in either order, shows the filter box their sum once both are counted", async () => {
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

const START = new Date(2026, 10, 20, 12, 36, 22).getTime();

describe("repeat rows", (test) => {
  const record: RepeatRecord = {
    key: "n-plus-one 7",
    kind: "n-plus-one",
    template: "GET https://api.shop.test/v1/products/{id}/stock",
    summary: "was requested once per item: 12 requests in 2 bursts of up to 6.",
    exchanges: 12,
    ids: [7 as ExchangeId],
    start: START as Instant,
    time: 840.4,
    isUpTo: true,
    bytes: null,
  };

  test("given a repeat, says what was repeated, how often, and what it costs", () => {
    const row = repeatRowOf(record);
    assert.equal(
      [row.kind, row.method, row.path, row.host, row.count, row.first],
      ["One request per item", "GET", "/v1/products/{id}/stock", "api.shop.test", "12", 7],
    );
    assert.is(row.sentence, "Was requested once per item: 12 requests in 2 bursts of up to 6.");
    assert.equal([row.time, row.bytes], ["up to 840 ms", "–"]);
    assert.is(row.changes, false);
    assert.is(repeatRowOf({ ...record, template: record.template.replace("GET", "POST") }).changes, true);
  });

  test('given a measured cost, shows it without "up to", and an unknown cost as a dash', () => {
    const known = repeatRowOf({ ...record, kind: "duplicate-requests", isUpTo: false, bytes: 2_048 });
    assert.equal([known.time, known.bytes], ["840 ms", "2.0 KB"]);
    assert.is(repeatRowOf({ ...record, time: null }).time, "–");
  });

  test("given more repeats than are listed, says how many more there are", () => {
    assert.is(moreRepeatsText({ total: 3, matched: 3, from: 0, keys: ["a", "b"] }), "and 1 more repeat");
    assert.is(moreRepeatsText({ total: 2, matched: 2, from: 0, keys: ["a", "b"] }), "");
  });
});
