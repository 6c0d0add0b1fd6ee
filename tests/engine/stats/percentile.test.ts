import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { percentileBy, percentileInterval, percentileOf, selectRank } from "../../../src/engine/stats/percentile.ts";
import { plainPercentile } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { percentileIntervalOf } from "../../support/node-histogram.ts";
import { seeded } from "../../support/seeded.ts";

describe("percentile", (test) => {
  test("given a rank between two values, interpolates by the rank's fraction", () => {
    assert.is(percentileOf([10, 20, 30, 40], 0.5), 25);
    assert.is(percentileOf([10, 20, 30, 40, 50], 0.95), 48);
    assert.is(percentileOf([7], 0.99), 7);
    assert.is(percentileOf([1, 2], 1), 2);
  });

  test("given no values, throws", () => {
    assert.throws(() => percentileBy(0, 0.5, () => 0), /nothing/);
  });

  test("given any sorted values, equals the plain definition", () => {
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

describe("selection by rank", (test) => {
  test("given any values, selects the value of any rank, repeatedly in the same array", () => {
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

describe("binomial interval of a percentile", (test) => {
  test("given many draws, it holds the true percentile at least as often as it says", () => {
    const random = seeded(5);
    for (const [count, share] of [
      [20, 0.5],
      [120, 0.5],
      [120, 0.95],
    ] as const) {
      const { low, high } = percentileInterval(count, share);
      let holds = 0;
      for (let run = 0; run < 2_000; run += 1) {
        const sorted = Float64Array.from({ length: count }, () => random()).sort();
        const [from, to] = [low === null ? 0 : sorted[low], high === null ? 1 : sorted[high]];
        if ((from ?? 0) <= share && share <= (to ?? 1)) holds += 1;
      }
      assert.ok(holds >= 1_880, `${holds} of 2,000 for p${share * 100} of ${count}`);
    }
  });

  test("given few samples, a high percentile has no upper end", () => {
    const { low, high } = percentileInterval(20, 0.99);
    assert.is.not(low, null);
    assert.is(high, null);
    assert.equal(percentileInterval(0, 0.5), { low: null, high: null });
  });

  test("given any count, the interval holds the percentile's own rank", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        (count, share) => {
          const { low, high } = percentileInterval(count, share);
          const rank = (count - 1) * share;
          assert.ok((low ?? 0) <= Math.ceil(rank) && (high ?? count) >= Math.floor(rank));
        },
      ),
    );
  });

  test("given the numbers 1 to n, it agrees with Node's histograms within two ranks", () => {
    for (const count of [60, 200, 1_000])
      for (const percentile of [50, 75, 95]) {
        const { lower, upper } = percentileIntervalOf(
          Array.from({ length: count }, (_, index) => index + 1),
          percentile,
        );
        const { low, high } = percentileInterval(count, percentile / 100);
        assert.ok(Math.abs((low ?? 0) + 1 - lower) <= 2, `low of p${percentile}, ${count}: ${low} against ${lower}`);
        if (high !== null)
          assert.ok(Math.abs(high + 1 - upper) <= 2, `high of p${percentile}, ${count}: ${high} against ${upper}`);
      }
  });
});
