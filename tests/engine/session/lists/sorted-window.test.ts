import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { windowOf } from "../../../../src/engine/session/lists/sorted-window.ts";
import { describe } from "../../../support/describe.ts";

describe("a sorted window", (test) => {
  test("equals that of the whole order, equal items as they were, those without a key last", () => {
    const keys = fc.array(
      fc.oneof(fc.nat(5), fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.constant(Number.NaN)),
      { maxLength: 300 },
    );
    fc.assert(
      fc.property(keys, fc.nat(310), fc.nat(100), (given, from, count) => {
        const order = given.map((_, place) => place).sort((a, b) => rank(given[a]) - rank(given[b]) || a - b);
        assert.equal(
          windowOf([...given.keys()], Float64Array.from(given), { from, count }),
          order.slice(from, from + count),
        );
      }),
    );
  });
});

function rank(key: number | undefined): number {
  return key === undefined || Number.isNaN(key) ? 1e9 : key;
}
