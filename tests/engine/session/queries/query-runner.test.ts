import * as assert from "uvu/assert";
import type { PickedSums } from "../../../../src/engine/messages/traffic-messages.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { QueryRunner } from "../../../../src/engine/session/queries/query-runner.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { BY_ID, EVERYTHING } from "../../../support/list-questions.ts";
import { contextOf, recorded } from "../../../support/recorded.ts";

describe("query runner", (test) => {
  test("given a filter for slow requests, counts those of many endpoints in slices before it answers", () => {
    const session = recorded(
      Array.from({ length: 130 }, (_, index) => exchange({ id: index + 1, target: `/${index}`, end: 20 })),
    );
    const slicesOf = (filter: string): number => {
      const runner = new QueryRunner({ view: "traffic", filter, sort: BY_ID, range: EVERYTHING });
      let slices = 1;
      while (!runner.prepare(contextOf(session))) slices += 1;
      return slices;
    };
    assert.equal(["status:200", "slow:", "slow: OR status:200"].map(slicesOf), [1, 3, 3]);
  });

  test("given a selection of many ranges, sums it in slices before it answers, and anew once more was captured", () => {
    const session = recorded(Array.from({ length: 500 }, (_, index) => exchange({ id: index + 1, end: 20 })));
    const stretches = Array.from({ length: 250 }, (_, index) => {
      const id = (2 * index + 1) as ExchangeId;
      return { from: id, to: id };
    });
    const runner = new QueryRunner({ view: "picked", filter: "", sort: BY_ID, stretches });
    const countNow = (now: number) => {
      let slices = 1;
      while (!runner.prepare(contextOf(session, { now }))) slices += 1;
      const answer = runner.answer(contextOf(session, { now }));
      return [slices, answer.kind === "value" ? (answer.value as PickedSums).count : answer];
    };
    assert.equal(countNow(0), [3, 250]);
    session.add(exchange({ id: 501, end: 20 }));
    assert.equal(countNow(1), [1, 250]);
    assert.equal(countNow(5_000), [3, 250]);
  });

  test("given deleted exchanges, every view that was answered before lacks them; given them back, has them", () => {
    const session = recorded(
      Array.from({ length: 12 }, (_, index) => exchange({ id: index + 1, target: `/a/${"xyz"[index % 3]}`, end: 20 })),
    );
    const list = { filter: "", range: EVERYTHING } as const;
    const traffic = new QueryRunner({ view: "traffic", sort: BY_ID, ...list });
    const timeline = new QueryRunner({ view: "timeline", between: null, ...list });
    const filtered = new QueryRunner({ view: "traffic", sort: BY_ID, ...list, filter: "path:/a/x" });
    const paths = new QueryRunner({ view: "paths", open: [{ host: "api.test", path: "" }] });
    const countsOf = (asked: Session) => [
      ...[traffic, timeline, filtered].map((runner) => {
        const answer = runner.answer(contextOf(asked));
        return answer.kind === "list" ? [answer.rows.total, answer.rows.records.length] : answer;
      }),
      paths.answer(contextOf(asked)),
    ];
    const before = countsOf(session);
    const gone = [1, 4, 5].map((id) => id as ExchangeId);
    session.uncount(session.hide(gone));
    const left = session.renewed();
    assert.equal(countsOf(left).slice(0, 3), [
      [9, 9],
      [9, 9],
      [9, 2],
    ]);
    assert.match(JSON.stringify(countsOf(left)[3]), /"exchanges":9/);
    left.countAgain(left.show(gone));
    assert.equal(countsOf(left.renewed()), before);
  });
});
