import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { sampleOf } from "../../../src/engine/stats/percentile.ts";
import { mannWhitneyOf, shiftOf, spearman } from "../../../src/engine/stats/ranks.ts";
import { describe } from "../../support/describe.ts";
import { ordersOf, subsetsOf } from "../../support/enumeration.ts";
import { rankTestOf } from "../../support/node-histogram.ts";
import { IS_QUICK, rounds } from "../../support/rounds.ts";
import { lognormal, seeded } from "../../support/seeded.ts";

const value = fc.integer({ min: 1, max: 1_000_000 });

const ascending = (values: ArrayLike<number>) => Array.from(values).sort((one, other) => one - other);

const mannWhitney = (left: ArrayLike<number>, right: ArrayLike<number>) =>
  mannWhitneyOf({ count: left.length, values: ascending(left) }, { count: right.length, values: ascending(right) });

describe("Mann-Whitney test", (test) => {
  test("given few values, with ties or without, p is that of all assignments", () => {
    const without = fc.uniqueArray(value, { minLength: 2, maxLength: 10 });
    const withTies = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 2, maxLength: 10 });
    fc.assert(
      fc.property(fc.oneof(without, withTies), fc.nat(), (values, cut) => {
        const count = 1 + (cut % (values.length - 1));
        const { u, p } = mannWhitney(values.slice(0, count), values.slice(count));
        const ranks = values.map((own) => {
          const below = values.filter((other) => other < own).length;
          return below + (values.filter((other) => other === own).length + 1) / 2;
        });
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

const values = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 3, maxLength: 60 });

describe("Spearman's rank correlation", (test) => {
  test("given any growing function of the values, rho is 1, and -1 of a falling one", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 1_000 }), { minLength: 3 }), (xs) => {
        const grown = xs.map((x) => x ** 3 + 5);
        assert.ok(Math.abs(spearman(xs, grown).rho - 1) < 1e-12);
        assert.ok(
          Math.abs(
            spearman(
              xs,
              grown.map((y) => -y),
            ).rho + 1,
          ) < 1e-12,
        );
      }),
    );
  });

  test("given either order of the sides, the result is the same and lies within its bounds", () => {
    fc.assert(
      fc.property(values, values, (left, right) => {
        const count = Math.min(left.length, right.length);
        const [xs, ys] = [left.slice(0, count), right.slice(0, count)];
        const [one, other] = [spearman(xs, ys), spearman(ys, xs)];
        assert.ok(Math.abs(one.rho - other.rho) < 1e-12);
        assert.ok(Math.abs(one.rho) <= 1 && one.p >= 0 && one.p <= 1);
      }),
    );
  });

  test("given seven pairs, p is near to the share of all orders that are as far from none", () => {
    const xs = [1, 2, 3, 4, 5, 6, 7];
    const orders = [...ordersOf(7)].map((order) => order.map((index) => index + 1));
    const rhos = orders.map((ys) => Math.abs(spearman(xs, ys).rho));
    for (const ys of [
      [1, 3, 2, 5, 4, 7, 6],
      [7, 5, 6, 4, 2, 3, 1],
      [4, 1, 7, 2, 6, 3, 5],
      [2, 1, 4, 3, 5, 7, 6],
    ]) {
      const { rho, p } = spearman(xs, ys);
      const exact = rhos.filter((other) => other >= Math.abs(rho) - 1e-12).length / rhos.length;
      assert.ok(Math.abs(p - exact) < 0.03, `${p} against ${exact}`);
    }
  });

  test("given values without a connection, one test in a hundred is below 0.01", () => {
    const random = seeded(11);
    let below = 0;
    for (let run = 0; run < 2_000; run += 1) {
      const draw = () => Float64Array.from({ length: 25 }, () => random());
      if (spearman(draw(), draw()).p < 0.01) below += 1;
    }
    assert.ok(below > 5 && below < 40, `${below} of 2,000`);
  });

  test("given a constant side or two pairs, nothing is said", () => {
    assert.equal(spearman([1, 2, 3, 4], [5, 5, 5, 5]), { rho: 0, p: 1 });
    assert.equal(spearman([1, 2], [1, 2]), { rho: 0, p: 1 });
  });
});

const wholeSample = (values: readonly number[]) => sampleOf(Float64Array.from(values).sort(), values.length);

describe("shift between two samples", (test) => {
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
      const [least, most] = IS_QUICK ? [0.8, 1] : [0.91, 0.99];
      let inside = 0;
      const runs = rounds(count > 100 ? 100 : 400);
      for (let run = 0; run < runs; run += 1) {
        const draw = (size: number, more: number) =>
          wholeSample(Array.from({ length: size }, () => more + lognormal(random, 300, 0.3)));
        const shift = shiftOf(draw(count, 120), draw(others, 0));
        if (shift !== null && shift.low <= 120 && 120 <= shift.high) inside += 1;
      }
      assert.ok(inside >= least * runs && inside <= most * runs, `${inside} of ${runs}`);
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
