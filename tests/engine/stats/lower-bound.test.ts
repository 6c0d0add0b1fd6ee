import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { lowerBound } from "../../../src/engine/stats/lower-bound.ts";
import { describe } from "../../support/describe.ts";

describe("lower bound", (test) => {
  test("given ascending numbers, finds the first at or above a value, or the end", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20)), fc.nat(5), fc.nat(25), (numbers, skipped, least) => {
        const ascending = numbers.toSorted((a, b) => a - b);
        const begin = Math.min(skipped, ascending.length);
        const found = ascending.findIndex((number, index) => index >= begin && number >= least);
        assert.is(
          lowerBound(begin, ascending.length, (index) => (ascending[index] as number) >= least),
          found < 0 ? ascending.length : found,
        );
      }),
    );
  });
});
