import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { selectRank } from "../../../src/engine/stats/selection.ts";
import { describe } from "../../support/describe.ts";

describe("selection", (test) => {
  test("finds any rank, equal values too, and again in the same array", () => {
    const values = fc.array(fc.oneof(fc.nat(5), fc.double({ noNaN: true })), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(values, fc.nat(), fc.nat(), (given, one, other) => {
        const sorted = Float64Array.from(given).sort();
        const copy = Float64Array.from(given);
        for (const seed of [one, other]) {
          const rank = seed % given.length;
          assert.ok(selectRank(copy, given.length, rank) === sorted[rank]);
        }
      }),
    );
  });
});
