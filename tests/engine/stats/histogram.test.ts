import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { histogramOf } from "../../../src/engine/stats/histogram.ts";
import { LatencyTally } from "../../../src/engine/stats/latency-tally.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";

function histogram(values: readonly number[]): ReturnType<typeof histogramOf> {
  const tally = new LatencyTally({ keepsIds: false });
  for (const value of values) tally.record(value, 0);
  return histogramOf(tally);
}

const latency = fc.oneof(
  fc.double({ min: 0, max: 100_000, noNaN: true }),
  fc.nat(40_000),
  fc.nat(4_096_000).map((parts) => parts / 4_096),
  fc.constantFrom(0, 0.000_244, 1e-9),
);

describe("histogram", (test) => {
  test("given any values, each is in exactly one bar, which includes its lower edge only", () => {
    fc.assert(
      fc.property(fc.array(latency, { maxLength: 400 }), (values) => {
        const bars = histogram(values);
        assert.is(
          bars.reduce((sum, { count }) => sum + count, 0),
          values.length,
        );
        for (const [index, { lo, hi, count }] of bars.entries()) {
          assert.is(count, values.filter((value) => value >= lo && value < (hi ?? Number.POSITIVE_INFINITY)).length);
          assert.ok(hi === null ? index === bars.length - 1 : hi > lo, `${lo} to ${hi}`);
          assert.is(lo, index === 0 ? lo : bars[index - 1]?.hi, "no gap");
        }
      }),
    );
  });

  test("given spread values, 24 to 40 bars reach to about p99.5 and one more bar holds the rest", () => {
    const spread = fc.tuple(
      fc.double({ min: 1, max: 5_000, noNaN: true }),
      fc.double({ min: 1.05, max: 1_000, noNaN: true }),
    );
    fc.assert(
      fc.property(spread, fc.integer({ min: 5, max: 300 }), ([low, factor], count) => {
        const values = Array.from({ length: count }, (_, index) => low * factor ** (index / (count - 1)));
        const bars = histogram(values);
        const closed = bars.filter(({ hi }) => hi !== null);
        assert.ok(closed.length >= 24 && closed.length <= 40, String(closed.length));
        const [first, last] = [closed[0], closed.at(-1)];
        assert.ok((first?.lo ?? 0) <= low && low < (first?.hi ?? 0), `${first?.lo} for ${low}`);
        const beyond = values.filter((value) => value >= (last?.hi ?? 0)).length;
        assert.ok(beyond <= Math.ceil(count * 0.005) + 1, `${beyond} of ${count}`);
        assert.is(bars.length - closed.length, beyond > 0 ? 1 : 0);
      }),
    );
  });

  test("given two modes 10 ms apart, shows them apart", () => {
    const values = Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? 260 : 270) + (index % 7) / 10);
    const filled = histogram(values).map(({ count }) => count > 0);
    const gaps = filled
      .join("")
      .split("true")
      .filter((gap) => gap.includes("false"));
    assert.ok(gaps.length === 1 && filled[0] && filled.at(-1), String(filled));
  });

  test("given one far slower request, still shows two modes in two bars", () => {
    for (const count of [20, 50, 150, 250]) {
      const values = Array.from({ length: count }, (_, index) => (index % 2 === 0 ? 260 : 270));
      const bars = histogram([...values, 5_000]);
      assert.is(bars.filter(({ count: requests }) => requests > 0).length, 3, String(count));
      assert.equal(bars.at(-1)?.hi, null);
      assert.is(bars.at(-1)?.count, 1);
    }
  });

  test("given values between 260 and 275, the edges have at most two decimals", () => {
    const bars = histogram(Array.from({ length: 100 }, (_, index) => 260 + index / 7));
    assert.match(bars.map(({ lo }) => String(lo)).join(" "), /^(\d{3}(\.\d{1,2})? ?)+$/);
  });

  test("given any values, every edge has at most six decimals, as the filter understands", () => {
    const few = fc.array(fc.integer({ min: 200, max: 299 }), { minLength: 5, maxLength: 8 });
    fc.assert(
      fc.property(fc.oneof(few, fc.array(latency, { minLength: 1, maxLength: 50 })), (values) => {
        for (const { lo, hi } of histogram(values))
          for (const edge of [lo, hi ?? 0]) assert.match(String(edge), /^\d+(\.\d{1,6})?$/);
      }),
      { numRuns: rounds(2_000) },
    );
  });

  test("given equal values, has one bar; given no values, has none", () => {
    assert.is(histogram([250, 250, 250]).length, 1);
    assert.is(histogram([0, 0]).length, 1);
    assert.equal(histogram([]), []);
  });
});
