import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { PickedStretch, TrafficColumn } from "../../../../src/engine/messages/traffic-messages.ts";
import { timedLatencyOf } from "../../../../src/engine/model/duration.ts";
import { isError } from "../../../../src/engine/model/exchange.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { InsightEvaluator } from "../../../../src/engine/session/evaluation/insight-evaluator.ts";
import { TrafficList } from "../../../../src/engine/session/lists/traffic-list.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { percentileOf } from "../../../../src/engine/stats/percentile.ts";
import { anyExchanges } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { recorded } from "../../../support/recorded.ts";

const COLUMNS = ["id", "startTime", "method", "status", "path", "type", "size", "latency"] as const;
const EVERYTHING = { from: 0, count: 1_000 };

describe("sums of picked exchanges", (test) => {
  test("they are those of the rows that the list shows between the ends, in any order", () => {
    const ends = fc.array(fc.tuple(fc.nat(30), fc.nat(30)), { minLength: 1, maxLength: 3 });
    const sorts = fc.record({ column: fc.constantFrom<TrafficColumn>(...COLUMNS), descending: fc.boolean() });
    fc.assert(
      fc.property(anyExchanges(), sorts, ends, (exchanges, sort, chosen) => {
        const session = recorded(exchanges);
        const evaluator = new InsightEvaluator(session, DEFAULT_SETTINGS);
        const list = new TrafficList(session, []);
        const ids = list.read(sort, EVERYTHING, evaluator).records.map(({ id }) => id);
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
        assert.equal(list.sums(sort, stretches, evaluator), {
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

  test("an end that the list has forgotten is open; a stretch that it has forgotten whole holds nothing", () => {
    const session = new Session(3);
    for (let id = 1; id <= 5; id += 1) session.add(exchange({ id }));
    const evaluator = new InsightEvaluator(session, DEFAULT_SETTINGS);
    const count = (from: number | null, to: number | null) =>
      new TrafficList(session, []).sums(
        { column: "startTime", descending: false },
        [{ from: from as ExchangeId, to: to as ExchangeId }],
        evaluator,
      ).count;
    assert.equal([count(1, 4), count(1, 2), count(4, 5)], [2, 0, 2]);
    assert.equal([count(1, null), count(null, 2), count(null, null)], [0, 0, 3]);
  });
});
