import * as assert from "uvu/assert";
import { QueryRunner } from "../../../../src/engine/session/queries/query-runner.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { BY_ID, EVERYTHING } from "../../../support/list-questions.ts";
import { contextOf, recorded } from "../../../support/recorded.ts";

describe("answers to queries", (test) => {
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
});
