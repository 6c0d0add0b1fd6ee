import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { HISTOGRAM_EDGES, histogramOf } from "../../../src/engine/stats/histogram.ts";
import { LatencyTally } from "../../../src/engine/stats/latency-tally.ts";
import { describe } from "../../support/describe.ts";

function histogram(values: readonly number[]): ReturnType<typeof histogramOf> {
  const tally = new LatencyTally({ keepsIds: false });
  for (const value of values) tally.record(value, 0);
  return histogramOf(tally);
}

describe("histogram", (test) => {
  test("buckets hold their lower edge and not their upper one", () => {
    assert.equal(histogram([1, 1.99, 2]), [
      { lo: 1, hi: 2, count: 2 },
      { lo: 2, hi: 5, count: 1 },
    ]);
  });

  test("empty ends are left out, empty ones between are not", () => {
    assert.equal(
      histogram([10, 45_000]).map(({ count }) => count),
      [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    );
    assert.equal(histogram([30_000]), [{ lo: 30_000, hi: null, count: 1 }]);
    assert.equal(histogram([]), []);
  });

  test("counts what plain comparison counts", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.nat(40_000), fc.constantFrom(...HISTOGRAM_EDGES)), { maxLength: 400 }),
        (values) => {
          const buckets = histogram(values);
          assert.is(
            buckets.reduce((sum, { count }) => sum + count, 0),
            values.length,
          );
          for (const { lo, hi, count } of buckets) {
            assert.is(count, values.filter((value) => value >= lo && value < (hi ?? Number.POSITIVE_INFINITY)).length);
          }
        },
      ),
    );
  });
});
