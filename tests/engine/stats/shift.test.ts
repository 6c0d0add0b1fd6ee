import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { sampleOf } from "../../../src/engine/stats/sample.ts";
import { shiftOf } from "../../../src/engine/stats/shift.ts";
import { describe } from "../../support/describe.ts";
import { lognormal, seeded } from "../../support/seeded.ts";

const wholeSample = (values: readonly number[]) => sampleOf(Float64Array.from(values).sort(), values.length);

describe("the shift between two samples", (test) => {
  test("given values of which one side is moved, the shift and its interval move by it", () => {
    const values = fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 8, maxLength: 30 });
    fc.assert(
      fc.property(values, values, fc.integer({ min: -5_000, max: 5_000 }), (left, right, by) => {
        const [before, after] = [
          shiftOf(wholeSample(left), wholeSample(right)),
          shiftOf(wholeSample(left.map((value) => value + by)), wholeSample(right)),
        ];
        assert.ok(before !== null && after !== null);
        assert.ok(before.low <= before.middle && before.middle <= before.high);
        for (const part of ["low", "middle", "high"] as const)
          assert.ok(Math.abs(after[part] - before[part] - by) < 1e-6);
      }),
    );
  });

  for (const [count, others] of [
    [6, 6],
    [10, 20],
    [40, 40],
    [400, 350],
  ] as const)
    test(`given ${count} and ${others} values, the interval holds the shift in about 95 %`, () => {
      const random = seeded(count);
      let inside = 0;
      const runs = count > 100 ? 100 : 400;
      for (let run = 0; run < runs; run += 1) {
        const draw = (size: number, more: number) =>
          wholeSample(Array.from({ length: size }, () => more + lognormal(random, 300, 0.3)));
        const shift = shiftOf(draw(count, 120), draw(others, 0));
        if (shift !== null && shift.low <= 120 && 120 <= shift.high) inside += 1;
      }
      assert.ok(inside >= 0.91 * runs && inside <= 0.99 * runs, `${inside} of ${runs}`);
    });

  test("given too few values, there is no interval", () => {
    for (const [count, others] of [
      [0, 0],
      [0, 9],
      [1, 1],
      [2, 3],
      [1, 30],
    ] as const) {
      const values = (size: number) => wholeSample(Array.from({ length: size }, (_, index) => index));
      assert.is(shiftOf(values(count), values(others)), null);
    }
  });
});
