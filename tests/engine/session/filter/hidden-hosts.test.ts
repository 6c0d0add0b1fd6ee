import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { hostOf } from "../../../../src/engine/model/endpoint.ts";
import { unwrap } from "../../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import { InsightEvaluator } from "../../../../src/engine/session/evaluation/insight-evaluator.ts";
import { filterOf } from "../../../../src/engine/session/filter/filter.ts";
import { hiddenHostsOf, withoutHosts } from "../../../../src/engine/session/filter/hidden-hosts.ts";
import { pickedExchanges } from "../../../../src/engine/session/lists/matching-exchanges.ts";
import { TrafficList } from "../../../../src/engine/session/lists/traffic-list.ts";
import { summaryOf } from "../../../../src/engine/session/queries/summary.ts";
import { instant } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { recorded } from "../../../support/recorded.ts";

const ORIGINS = ["http://a.test", "https://a.test", "https://API.test:8443", "http://b.a.test", "http://[::1]:81"];
const HOSTS = ["a.test", "api.TEST:8443", "b.a.test", "[::1]:81", "never.test"];
const METHODS = ["GET", "POST"];

const drawn = fc.record({
  rows: fc.array(fc.tuple(fc.constantFrom(...ORIGINS), fc.constantFrom(...METHODS)), { maxLength: 40 }),
  hidden: fc.uniqueArray(fc.constantFrom(...HOSTS)),
  filter: fc.constantFrom("", "method:post", "-host:b"),
});

describe("hidden hosts", (test) => {
  test("given any filter, lists leave out the exchanges of hidden hosts and no others, and the summary counts them", () => {
    fc.assert(
      fc.property(drawn, ({ rows, hidden, filter }) => {
        const session = recorded(rows.map(([origin, method], index) => exchange({ id: index + 1, origin, method })));
        const evaluator = new InsightEvaluator(session, DEFAULT_SETTINGS);
        const idsUnder = (hosts: readonly string[]) => {
          const list = new TrafficList(session, withoutHosts(unwrap(filterOf(filter)), hosts));
          return Array.from(list.rows(evaluator), (row) => session.table.ids.at(row));
        };
        const isHidden = (id: number) =>
          hidden.some((host) => host.toLowerCase() === hostOf(rows[id - 1]?.[0] ?? "").toLowerCase());
        const expected = idsUnder([]).filter((id) => !isHidden(Number(id)));
        assert.equal(idsUnder(hidden), expected);
        const source = { session, settings: DEFAULT_SETTINGS, headsOf: () => null, findings: null };
        const everything = [{ from: null, to: null }];
        const sort = { column: "startTime", descending: false } as const;
        const picked = pickedExchanges({ ...source, hiddenHosts: hidden }, { filter, sort, stretches: everything });
        assert.equal(unwrap(picked), expected);
        const settings = { hiddenHosts: hidden, showHiddenHosts: false };
        const told = summaryOf(session, evaluator, instant(0), { p95: null }, settings);
        assert.is(told.ofHiddenHosts, rows.filter((_, index) => isHidden(index + 1)).length);
        assert.is(told.exchanges, rows.length);
        assert.is(
          told.hosts.reduce((sum, { exchanges }) => sum + exchanges, 0),
          rows.length - told.ofHiddenHosts,
        );
      }),
    );
  });

  test("given that hidden hosts are listed all the same, none is left out", () => {
    assert.equal(hiddenHostsOf({ hiddenHosts: HOSTS, showHiddenHosts: true }), []);
    assert.equal(hiddenHostsOf({ hiddenHosts: HOSTS, showHiddenHosts: false }), HOSTS);
  });
});
