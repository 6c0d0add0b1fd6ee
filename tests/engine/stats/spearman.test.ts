import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { spearman } from "../../../src/engine/stats/spearman.ts";
import { describe } from "../../support/describe.ts";
import { ordersOf } from "../../support/enumeration.ts";
import { seeded } from "../../support/seeded.ts";

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
    const orders = [...ordersOf(7)].map((order) => order.map((place) => place + 1));
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
