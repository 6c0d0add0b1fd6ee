import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Figures } from "../../../../src/engine/messages/status-messages.ts";
import { isLasting, statusOf } from "../../../../src/engine/model/exchange.ts";
import { unwrap } from "../../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import { InsightEvaluator } from "../../../../src/engine/session/evaluation/insight-evaluator.ts";
import { filterOf } from "../../../../src/engine/session/filter/filter.ts";
import { MatchingFigures } from "../../../../src/engine/session/lists/matching-figures.ts";
import { TrafficList } from "../../../../src/engine/session/lists/traffic-list.ts";
import { QueryRunner } from "../../../../src/engine/session/queries/query-runner.ts";
import { summaryOf } from "../../../../src/engine/session/queries/summary.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import { anyExchanges, instant } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { contextOf, recorded } from "../../../support/recorded.ts";

describe("figures of matching exchanges", (test) => {
  test("given no filter, the figures equal the session's summary", () => {
    fc.assert(
      fc.property(anyExchanges(), fc.integer({ min: 1_000, max: 200_000 }), (all, now) => {
        // An open stream counts from its head on, an instant that no row holds exactly.
        const exchanges = all.filter(({ tags, outcome }) => !isLasting(tags, statusOf(outcome)));
        const session = recorded(exchanges);
        assert.equal(matching(session, "", now), wholeOf(session, now));
      }),
    );
  });

  test("given a filter, the figures equal those of a session with the matching exchanges only", () => {
    const filters = fc.constantFrom("status:2xx", "-status:2xx", "dur>200", "method:get", "error:");
    fc.assert(
      fc.property(anyExchanges(), filters, fc.integer({ min: 1_000, max: 200_000 }), (exchanges, filter, now) => {
        const session = recorded(exchanges);
        const ids = new Set(matchingIds(session, filter));
        const alone = wholeOf(recorded(exchanges.filter(({ id }) => ids.has(id))), now);
        const figures = matching(session, filter, now);
        const totals = ({ counted, errors, errorRate, p95, bytes, exchanges: all }: Figures) => ({
          counted,
          errors,
          errorRate,
          p95,
          bytes,
          all,
        });
        assert.equal(totals(figures), totals(alone));
        const { slices } = figures;
        assert.equal(
          slices.map(({ at }) => at),
          session.summary.slices().map(({ at }) => at),
          "the slices are the session's",
        );
        assert.is(
          slices.reduce((sum, { requests }) => sum + requests, 0),
          figures.counted,
        );
      }),
    );
  });

  test("given a query for figures, answers them, with a rate that falls as time passes", () => {
    const session = recorded([]);
    const runner = new QueryRunner({ view: "figures", filter: "status:2xx" });
    const told = (now: number) => runner.answer(contextOf(session, { now }));
    assert.equal(told(0), { kind: "value", value: { ...matching(session, "status:2xx", 0) } });
    fc.assert(
      fc.property(anyExchanges(), (exchanges) => {
        const filled = recorded(exchanges);
        const asked = new QueryRunner({ view: "figures", filter: "status:2xx" });
        for (const now of [5_000, 500_000])
          assert.equal(asked.answer(contextOf(filled, { now })), {
            kind: "value",
            value: matching(filled, "status:2xx", now),
          });
      }),
    );
  });
});

function rowsOf(session: Session, text: string): Uint32Array {
  const filter = unwrap(filterOf(text));
  return new TrafficList(session, filter).rows(new InsightEvaluator(session, DEFAULT_SETTINGS));
}

function matchingIds(session: Session, text: string): readonly number[] {
  return Array.from(rowsOf(session, text), (row) => session.table.ids.at(row));
}

function matching(session: Session, text: string, now: number): Figures {
  return new MatchingFigures(session, rowsOf(session, text)).at(instant(now));
}

function wholeOf(session: Session, now: number): Figures {
  const summary = summaryOf(session, new InsightEvaluator(session, DEFAULT_SETTINGS), instant(now));
  const { sessionStart, exchanges, counted, errors, errorRate, ratePerMinute, p95, bytes, sliceLength, slices } =
    summary;
  return { sessionStart, exchanges, counted, errors, errorRate, ratePerMinute, p95, bytes, sliceLength, slices };
}
