import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { holm } from "../../../src/engine/stats/holm.ts";
import { describe } from "../../support/describe.ts";

const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 });

describe("Holm's correction", (test) => {
  test("given four values, each is multiplied by those that are left, and never falls below the one before", () => {
    const corrected = holm([0.01, 0.04, 0.03, 0.005]).map((p) => Number(p.toFixed(12)));
    assert.equal(corrected, [0.03, 0.06, 0.06, 0.02]);
  });

  test("given more tests than values, each is corrected as if the others had a p of 1", () => {
    fc.assert(
      fc.property(values, fc.nat(50), (list, others) => {
        const padded = holm([...list, ...new Array<number>(others).fill(1)]);
        assert.equal(holm(list, list.length + others), padded.slice(0, list.length));
      }),
    );
  });

  test("given any values, each lies between itself and Bonferroni's, and the order stays", () => {
    fc.assert(
      fc.property(values, (list) => {
        const corrected = holm(list);
        for (const [index, p] of list.entries()) {
          const own = corrected[index] ?? Number.NaN;
          assert.ok(own >= p && own <= Math.min(1, p * list.length));
          for (const [position, other] of list.entries())
            if (p < other) assert.ok(own <= (corrected[position] ?? Number.NaN));
        }
      }),
    );
  });
});
