import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { mannWhitneyOf } from "../../../src/engine/stats/mann-whitney.ts";
import { sampleOf } from "../../../src/engine/stats/sample.ts";
import { describe } from "../../support/describe.ts";
import { subsetsOf } from "../../support/enumeration.ts";
import { rankTestOf } from "../../support/node-histogram.ts";
import { rounds } from "../../support/rounds.ts";
import { seeded } from "../../support/seeded.ts";

const value = fc.integer({ min: 1, max: 1_000_000 });

const ascending = (values: ArrayLike<number>) => Array.from(values).sort((one, other) => one - other);

const mannWhitney = (left: ArrayLike<number>, right: ArrayLike<number>) =>
  mannWhitneyOf({ count: left.length, values: ascending(left) }, { count: right.length, values: ascending(right) });

describe("the Mann-Whitney test", (test) => {
  test("given few values without ties, p is that of all assignments", () => {
    fc.assert(
      fc.property(fc.uniqueArray(value, { minLength: 2, maxLength: 10 }), fc.nat(), (values, cut) => {
        const count = 1 + (cut % (values.length - 1));
        const { u, p } = mannWhitney(values.slice(0, count), values.slice(count));
        const ranks = values.map((own) => values.filter((other) => other <= own).length);
        let [total, asFar] = [0, 0];
        const middle = (count * (values.length - count)) / 2;
        for (const chosen of subsetsOf(values.length, count)) {
          const sum = chosen.reduce((all, index) => all + (ranks[index] ?? 0), 0) - (count * (count + 1)) / 2;
          total += 1;
          if (Math.abs(sum - middle) >= Math.abs(u - middle)) asFar += 1;
        }
        assert.ok(Math.abs(p - asFar / total) < 1e-9, `${p} against ${asFar / total}`);
      }),
      { numRuns: rounds(60) },
    );
  });

  test("given any values, u counts the pairs in which the left one is larger", () => {
    const small = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(small, small, (left, right) => {
        const pairs = left.flatMap((one) => right.map((other) => (Math.sign(one - other) + 1) / 2));
        const wanted = pairs.reduce((sum, pair) => sum + pair, 0);
        const { u, p, superiority } = mannWhitney(left, right);
        assert.ok(Math.abs(u - wanted) < 1e-9);
        assert.ok(Math.abs(superiority - wanted / pairs.length) < 1e-9);
        assert.ok(p >= 0 && p <= 1);
        assert.ok(Math.abs(mannWhitney(right, left).p - p) < 1e-9);
      }),
    );
  });

  test("given quantiles, p is that of all values", () => {
    const random = seeded(11);
    for (let run = 0; run < 20; run += 1) {
      const draw = (shift: number) => Array.from({ length: 2_000 }, () => random() + shift);
      const [left, right] = [draw(0.03), draw(0)];
      const thinned = (values: readonly number[]) => ({ ...sampleOf(ascending(values), 100), count: values.length });
      const [exact, near] = [mannWhitney(left, right), mannWhitneyOf(thinned(left), thinned(right))];
      assert.ok(Math.abs(exact.superiority - near.superiority) < 0.003, `${exact.superiority}, ${near.superiority}`);
      assert.ok(Math.abs(Math.log10(exact.p) - Math.log10(near.p)) < 1, `${exact.p}, ${near.p}`);
    }
  });

  test("given the same distribution twice, one test in twenty is below 0.05", () => {
    let below = 0;
    const random = seeded(7);
    for (let run = 0; run < 2_000; run += 1) {
      const draw = () => Float64Array.from({ length: 40 }, () => random());
      if (mannWhitney(draw(), draw()).p < 0.05) below += 1;
    }
    assert.ok(below > 60 && below < 140, `${below} of 2,000`);
  });

  // Node's test is two-sided, over histograms of whole numbers: these are exact below 2,048 with three digits.
  test("given many whole numbers, p is near to that of Node's histograms", () => {
    const many = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 60, maxLength: 120 });
    fc.assert(
      fc.property(many, many, (left, right) => {
        assert.ok(Math.abs(mannWhitney(left, right).p - rankTestOf(left, right)) < 0.02);
      }),
      { numRuns: rounds(40) },
    );
  });
});
