import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { LatencyTally } from "../../../src/engine/stats/latency-tally.ts";
import { percentileOf } from "../../../src/engine/stats/percentile.ts";
import { plainPercentile } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";

const SHARES = [0, 0.5, 0.95, 0.99, 1];
/** Few and many values, so that both forms of a tally occur; many are equal. */
const anyValues = fc
  .array(fc.oneof(fc.double({ min: 0, max: 1e5, noNaN: true }), fc.nat(20)), { maxLength: 150 })
  .chain((values) => fc.constantFrom(1, 7, 60).map((times) => Array.from({ length: times }, () => values).flat()));

function tallyOf(values: readonly number[]): LatencyTally {
  const tally = new LatencyTally({ keepsIds: true });
  values.forEach((value, index) => {
    tally.record(value, index);
  });
  return tally;
}

describe("latency tally", (test) => {
  test("given any values, the percentiles equal those of the sorted values", () => {
    fc.assert(
      fc.property(anyValues, (values) => {
        const expected = values.length === 0 ? null : SHARES.map((share) => plainPercentile(values, share));
        assert.equal(tallyOf(values).percentiles(SHARES), expected);
      }),
    );
  });

  test("given any values, the sample is all of them in order, or as many quantiles as requested", () => {
    fc.assert(
      fc.property(anyValues, (values) => {
        const sorted = Float64Array.from(values).sort();
        if (values.length <= 4_096) assert.equal(Array.from(tallyOf(values).sample(4_096)), Array.from(sorted));
        const some = Array.from(tallyOf(values).sample(10));
        if (values.length > 10)
          assert.equal(
            some,
            some.map((_, index) => percentileOf(sorted, (index + 0.5) / 10)),
          );
      }),
    );
  });

  test("given a limit and edges, finds the values above with their ids and counts values between edges", () => {
    fc.assert(
      fc.property(anyValues, fc.oneof(fc.double({ min: 0, max: 1e5, noNaN: true }), fc.nat(20)), (values, limit) => {
        const tally = tallyOf(values);
        const above: number[] = [];
        tally.forEachAbove(limit, (value, id) => {
          assert.is(values[id], value);
          above.push(id);
        });
        const expected = values.flatMap((value, id) => (value > limit ? [id] : []));
        assert.equal(
          above.toSorted((a, b) => a - b),
          expected,
        );
        const edges = [limit / 2, limit, limit + 5];
        const between = (lo: number, hi: number) => values.filter((value) => value >= lo && value < hi).length;
        assert.equal(
          tally.countsFrom(edges),
          edges.map((edge, index) => (edges[index + 1] === edge ? 0 : between(edge, edges[index + 1] ?? Infinity))),
        );
        assert.is(tally.countAbove(limit), expected.length);
      }),
    );
  });
});
