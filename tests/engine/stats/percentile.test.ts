import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { percentileBy, percentileOf } from "../../../src/engine/stats/percentile.ts";
import { plainPercentile } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";

describe("percentile", (test) => {
  test("lies between two neighbours by the fraction of its rank", () => {
    assert.is(percentileOf([10, 20, 30, 40], 0.5), 25);
    assert.is(percentileOf([10, 20, 30, 40, 50], 0.95), 48);
    assert.is(percentileOf([7], 0.99), 7);
    assert.is(percentileOf([1, 2], 1), 2);
  });

  test("of nothing there is none", () => {
    assert.throws(() => percentileBy(0, 0.5, () => 0), /nothing/);
  });

  test("equals the definition on sorted values", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (values, share) => {
          assert.is(
            percentileOf(
              values.toSorted((a, b) => a - b),
              share,
            ),
            plainPercentile(values, share),
          );
        },
      ),
    );
  });
});
