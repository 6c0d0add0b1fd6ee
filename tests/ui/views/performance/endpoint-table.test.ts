import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Endpoint } from "../../../../src/engine/model/endpoint.ts";
import { Selection } from "../../../../src/ui/state/selection.ts";
import { SubscriptionStore } from "../../../../src/ui/state/subscription-store.ts";
import type { ViewDependencies } from "../../../../src/ui/views/dependencies.ts";
import { scopeText } from "../../../../src/ui/views/performance/endpoint-table.ts";
import { latencyTable } from "../../../../src/ui/views/performance/latency/latency.ts";
import { payloadTable } from "../../../../src/ui/views/performance/payload/payload.ts";
import { trendsTable } from "../../../../src/ui/views/performance/trends/trends.ts";
import { describe } from "../../../support/describe.ts";
import { fakeChannel } from "../../../support/fake-channel.ts";
import { rounds } from "../../../support/rounds.ts";
import { Box, withoutResizes } from "../../parts/list-stage.ts";

const TABLES = { latency: latencyTable, payload: payloadTable, trends: trendsTable } as const;
const COLUMNS = { latency: "p95", payload: "largest", trends: "baseline" } as const;

/** The mounted table of a tab, and the latest query for its rows. */
function mounted(tab: keyof typeof TABLES) {
  const { channel, sent, enter } = fakeChannel();
  const selection = new Selection();
  const windows = new SubscriptionStore(channel, (run) => run);
  const deps = { windows, selection, showMatches: () => {} } as unknown as ViewDependencies;
  const $refs = { list: new Box(), space: new Box(), window: new Box() };
  const view = Object.assign(TABLES[tab](deps), { $refs, $nextTick: (run: () => void) => run() });
  enter({ kind: "open" });
  const restore = withoutResizes();
  view.init.call(view as never);
  restore();
  const asked = () => {
    const queries = sent.flatMap((message) => (message.type === "subscribe" ? [message.query] : []));
    return queries.findLast((query) => query.view === tab) as { filter: string; sort: object } | undefined;
  };
  return { view, selection, asked };
}

describe("endpoint table", (test) => {
  for (const tab of ["latency", "payload", "trends"] as const) {
    test(`given any filters in ${tab}, asks for the rows of the latest one and clears it on request`, () => {
      fc.assert(
        fc.property(fc.array(fc.string({ minLength: 1, maxLength: 9 }), { minLength: 1, maxLength: 5 }), (filters) => {
          const { view, selection, asked } = mounted(tab);
          for (const filter of filters) selection.set({ filter });
          assert.is(asked()?.filter, filters.at(-1));
          assert.is.not(view.scope, "");
          selection.set({ filter: "" });
          assert.is(asked()?.filter, "");
          assert.is(view.scope, "");
          view.destroy();
        }),
        { numRuns: rounds(20) },
      );
    });

    test(`given clicks on a header in ${tab}, sorts descending, then ascending`, () => {
      const { view, asked } = mounted(tab);
      for (const [descending, order] of [
        [true, "descending"],
        [false, "ascending"],
      ] as const) {
        view.sortBy(COLUMNS[tab] as never);
        assert.equal(asked()?.sort, { column: COLUMNS[tab], descending });
        assert.is(view.headers.find(({ column }) => column === COLUMNS[tab])?.order, order);
      }
      view.destroy();
    });

    test(`given a click on a row of ${tab}, opens the panel of its endpoint`, () => {
      const { view, selection } = mounted(tab);
      const endpoint = "GET https://a.test/b c" as Endpoint;
      const key = tab === "trends" ? `latency ${endpoint}` : endpoint;
      view.open({ row: { key } } as never);
      assert.is(selection.now.endpoint, endpoint);
      view.destroy();
    });
  }
});

describe("scope of an endpoint list", (test) => {
  test("given a filter, explains its scope, and without a filter shows nothing", () => {
    assert.equal(
      [scopeText(""), scopeText("client:curl")],
      ["", "Only endpoints with a matching exchange; their figures cover the whole session"],
    );
  });
});
