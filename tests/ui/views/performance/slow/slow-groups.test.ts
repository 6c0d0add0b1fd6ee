import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { SlowEndpointRecord, SlowGroupRecord } from "../../../../../src/engine/messages/latency-messages.ts";
import { endpointOf, partsOf } from "../../../../../src/engine/model/endpoint.ts";
import { Selection } from "../../../../../src/ui/state/selection.ts";
import { SubscriptionStore } from "../../../../../src/ui/state/subscription-store.ts";
import type { ViewDependencies } from "../../../../../src/ui/views/dependencies.ts";
import type { SlowOpening } from "../../../../../src/ui/views/performance/slow/slow-group-rows.ts";
import { slowGroups } from "../../../../../src/ui/views/performance/slow/slow-groups.ts";
import { SlowScope } from "../../../../../src/ui/views/performance/slow/slow-scope.ts";
import { describe } from "../../../../support/describe.ts";
import { fakeChannel } from "../../../../support/fake-channel.ts";

const OVERVIEW = { key: "overview", progress: 1 } as const;

/** The mounted list on an open channel. */
function mounted() {
  const { channel, sent, receive, enter } = fakeChannel();
  const windows = new SubscriptionStore(channel, (run) => run);
  const scope = new SlowScope({ filter: "", cause: "all", endpoint: null, group: null });
  const shown: SlowOpening[] = [];
  const deps = { windows, selection: new Selection() } as unknown as ViewDependencies;
  const view = slowGroups(deps, scope, (opening) => void shown.push(opening));
  enter({ kind: "open" });
  view.init.call(view as never);
  const asked = (name: string) =>
    sent.flatMap((message) => (message.type === "subscribe" && message.query.view === name ? [message] : []));
  return {
    view,
    scope,
    shown,
    asked,
    answer: (matched: number, records: readonly SlowGroupRecord[]) =>
      receive({
        type: "window",
        subscription: asked("slow-groups")[0]?.subscription ?? -1,
        revision: 1,
        list: { total: 900, matched, from: 0, keys: records.map(({ key }) => key) },
        records,
      }),
  };
}

function recordOf(number: number, isWithoutCause: boolean): SlowEndpointRecord {
  const endpoint = endpointOf("GET", "https://api.shop.test", `/${number}`);
  const kind = isWithoutCause ? "none" : "transfer";
  const sum = { count: 3, lost: 90, median: 50 };
  return {
    ...partsOf(endpoint),
    ...sum,
    key: String(number),
    endpoint,
    causes: [{ ...sum, cause: { kind } }],
    isWithoutCause,
    arrived: 0,
    p50: 20,
    limit: 40,
    isP95: true,
    requests: 60,
  };
}

describe("list of slow requests by cause", (test) => {
  test("given endpoints with and without a cause, keeps their order; given more than are sent, says how many", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 60 }), fc.integer({ min: 1, max: 60 }), (without, sent) => {
        const { view, answer } = mounted();
        const all = without.map((isWithoutCause, index) => recordOf(index, isWithoutCause));
        const records = all.length === 0 ? [] : [OVERVIEW, ...all.slice(0, sent)];
        answer(all.length === 0 ? 0 : all.length + 1, records);
        assert.equal(
          view.rows.map(({ key }) => key),
          all.slice(0, sent).map(({ key }) => key),
        );
        assert.is(view.moreRows, all.length > sent ? `and ${all.length - sent} more` : "");
        view.destroy();
      }),
    );
  });

  test("given a cause that is opened, asks for its requests; given the endpoint, for all of its requests", () => {
    const { view, answer, asked, shown, scope } = mounted();
    answer(2, [OVERVIEW, recordOf(1, false)]);
    const [row] = view.rows;
    const [line] = row?.lines ?? [];
    assert.ok(row !== undefined && line !== undefined);
    for (const [opening, group] of [
      [line, "transfer"],
      [row, null],
    ] as const) {
      view.open(opening);
      assert.is(view.opened, opening.key);
      const { query } = asked("slow").at(-1) ?? {};
      assert.ok(query?.view === "slow");
      assert.equal([query.endpoint, query.group], [row.endpoint, group]);
      view.showAll();
      assert.is(shown.at(-1), opening);
    }
    view.open(row);
    assert.is(view.opened, "");
    view.open(line);
    scope.set({ cause: "server" });
    assert.is(view.opened, "");
    view.destroy();
  });
});
