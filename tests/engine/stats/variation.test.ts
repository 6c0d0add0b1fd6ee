import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { deviationOf, variationOf } from "../../../src/engine/stats/variation.ts";
import { describe } from "../../support/describe.ts";

describe("standard deviation", (test) => {
  test("given a + b and a - b in any number, it is b, and the variation b / a", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_000 }), fc.nat(900), fc.integer({ min: 1, max: 30 }), (a, b, count) => {
        const values = Array.from({ length: 2 * count }, (_, index) => (index % 2 === 0 ? a + b : a - b));
        assert.ok(Math.abs(deviationOf(values) - b) < 1e-9);
        assert.ok(Math.abs(variationOf(values) - b / a) < 1e-9);
      }),
    );
  });
});
