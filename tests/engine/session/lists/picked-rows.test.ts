import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { PickedStretch, TrafficColumn } from "../../../../src/engine/messages/traffic-messages.ts";
import { isError, timedLatencyOf } from "../../../../src/engine/model/exchange.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { TrafficList } from "../../../../src/engine/session/lists/traffic-list.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { percentileOf } from "../../../../src/engine/stats/percentile.ts";
import { anyExchanges } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { BY_ID, judgeOf } from "../../../support/list-questions.ts";
import { recorded } from "../../../support/recorded.ts";

const COLUMNS = ["id", "startTime", "method", "status", "path", "type", "size", "latency"] as const;
const WHOLE_LIST = { from: 0, count: 1_000 };

describe("sums of selected exchanges", (test) => {
  test("given selected ranges in any order, read in slices, they are the rows between their ends, with their sums", () => {
    const ends = fc.array(fc.tuple(fc.nat(30), fc.nat(30)), { minLength: 1, maxLength: 3 });
    const sorts = fc.record({ column: fc.constantFrom<TrafficColumn>(...COLUMNS), descending: fc.boolean() });
    fc.assert(
      fc.property(anyExchanges(), sorts, ends, fc.integer({ min: 1, max: 9 }), (exchanges, sort, chosen, most) => {
        const session = recorded(exchanges);
        const evaluator = judgeOf(session);
        const list = new TrafficList(session, []);
        const ids = list.read(sort, WHOLE_LIST, evaluator).records.map(({ id }) => id);
        const spans = chosen.map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
        // An end beyond the list means the list's end.
        const stretches = spans.map(([from, to]): PickedStretch => ({ from: ids[from] ?? null, to: ids[to] ?? null }));
        fc.pre(spans.every(([from]) => from < ids.length));
        const picked = ids.flatMap((id, index) => {
          const made = exchanges.find((each) => each.id === id);
          return made !== undefined && spans.some(([from, to]) => from <= index && index <= to) ? [made] : [];
        });
        const latencies = Float64Array.from(picked.flatMap((one) => timedLatencyOf(one) ?? [])).sort();
        const at = (share: number) => (latencies.length === 0 ? null : percentileOf(latencies, share));
        const found = list.picked(list.rows(evaluator).slice(), sort, stretches);
        for (let slices = 1; !found.advance(most); slices += 1) assert.ok(slices <= exchanges.length);
        const rows = Array.from(found.rows(), (row) => Number(session.table.ids.at(row)));
        assert.equal(new Set(rows), new Set(picked.map(({ id }) => Number(id))));
        assert.equal(found.sums(), {
          count: picked.length,
          errors: picked.filter(({ outcome }) => isError(outcome)).length,
          bytes: picked.reduce(
            (sum, { encodedBodySize, requestBodySize }) => sum + encodedBodySize + requestBodySize,
            0,
          ),
          p50: at(0.5),
          p95: at(0.95),
          longest: at(1),
        });
      }),
    );
  });

  test("given a range with an evicted end, treats the end as open; a range wholly evicted has no rows", () => {
    const session = new Session(3);
    for (let id = 1; id <= 5; id += 1) session.add(exchange({ id }));
    const list = new TrafficList(session, []);
    const count = (from: number | null, to: number | null) =>
      list
        .picked(list.rows(judgeOf(session)).slice(), { column: "startTime", descending: false }, [
          { from: from as ExchangeId, to: to as ExchangeId },
        ])
        .sums().count;
    assert.equal([count(1, 4), count(1, 2), count(4, 5)], [2, 0, 2]);
    assert.equal([count(1, null), count(null, 2), count(null, null)], [0, 0, 3]);
  });

  test("given rows that leave between two slices, leaves them out", () => {
    const session = new Session(5);
    for (let id = 1; id <= 5; id += 1) session.add(exchange({ id }));
    const list = new TrafficList(session, []);
    const found = list.picked(list.rows(judgeOf(session)).slice(), BY_ID, [{ from: null, to: null }]);
    assert.is(found.advance(1), false);
    for (let id = 6; id <= 8; id += 1) session.add(exchange({ id }));
    assert.equal(
      Array.from(found.rows(), (row) => Number(session.table.ids.at(row))),
      [4, 5],
    );
  });
});
