import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { SortedIds, sortedIdsOf } from "../../../../src/engine/session/evaluation/sorted-ids.ts";
import { describe } from "../../../support/describe.ts";

describe("sorted ids", (test) => {
  test("given ids in any order, knows each and its place, and no other", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(60)), (drawn) => {
        const ids = new SortedIds(sortedIdsOf(drawn as ExchangeId[]));
        const sorted = drawn.toSorted((one, other) => one - other);
        assert.equal([...ids], sorted);
        for (let id = 0; id <= 61; id += 1) {
          assert.is(ids.has(id as ExchangeId), drawn.includes(id));
          assert.is(ids.indexOf(id as ExchangeId), sorted.indexOf(id));
        }
      }),
    );
  });
});
