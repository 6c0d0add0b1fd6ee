import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { compareShapeOf } from "../../../src/ui/parts/compare-shape.ts";
import { describe } from "../../support/describe.ts";

const shares = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0.001, max: 1, noNaN: true })), {
  minLength: 1,
  maxLength: 40,
});

/** Where each bar begins, and its other end. */
const barsOf = (path: string) =>
  [...path.matchAll(/M([\d.]+) ([\d.]+)V([\d.]+)h[\d.]+V[\d.]+z/g)].map(([, ...numbers]) => numbers.map(Number));

describe("shape of two distributions", (test) => {
  test("given any shares, each that is not empty is a bar away from the axis, within the box", () => {
    fc.assert(
      fc.property(shares, shares, (left, right) => {
        const shape = compareShapeOf({ from: 1, to: 10, left, right });
        const [above, below] = [barsOf(shape.left), barsOf(shape.right)];
        assert.is(above.length, left.filter((share) => share > 0).length);
        assert.is(below.length, right.filter((share) => share > 0).length);
        for (const [x = -1, base = -1, end = -1] of above)
          assert.ok(x >= 0 && x < 128 && base === 11 && end < 11 && end >= 1);
        for (const [x = -1, base = -1, end = -1] of below)
          assert.ok(x >= 0 && x < 128 && base === 13 && end > 13 && end <= 23);
      }),
    );
  });
});
