import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { baselinesFor } from "../../../src/ui/parts/chart-marks.ts";
import { describe } from "../../support/describe.ts";

describe("names at the ends of lines", (test) => {
  test("they stand within the chart, in the order of their lines, and never on each other", () => {
    const anyHeights = fc.array(fc.integer({ min: 0, max: 120 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(anyHeights, (heights) => {
        const sorted = heights.sort((a, b) => a - b);
        const baselines = baselinesFor(sorted, 120);
        assert.is(baselines.length, sorted.length);
        for (const [index, baseline] of baselines.entries()) {
          assert.ok(baseline <= 118);
          if (index > 0) assert.ok(baseline - (baselines[index - 1] ?? 0) >= 12);
        }
      }),
    );
  });

  test("where there is room each stands beside its line", () => {
    const [first = 0, second = 0] = baselinesFor([30, 80], 120);
    assert.ok(Math.abs(first - 30) < 6 && Math.abs(second - 80) < 6);
  });
});
