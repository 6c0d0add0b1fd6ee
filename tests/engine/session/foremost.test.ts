import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { Foremost } from "../../../src/engine/session/foremost.ts";
import { describe } from "../../support/describe.ts";

describe("the foremost of many rows", (test) => {
  test("are the first of all of them by key, equal ones by row, in whatever order they are told", () => {
    const keys = fc.array(fc.nat(200), { minLength: 300, maxLength: 900 });
    fc.assert(
      fc.property(keys, fc.integer({ min: 1, max: 40 }), fc.nat(10), fc.nat(), (all, count, from, seed) => {
        const foremost = new Foremost(count);
        const expected = all.map((key, row) => ({ key, row })).sort((a, b) => b.key - a.key || a.row - b.row);
        for (let told = 0; told < all.length; told += 1) {
          const row = (told + seed) % all.length;
          foremost.add(row, all[row] as number);
          assert.ok(foremost.least <= (expected[count - 1]?.key ?? Number.NEGATIVE_INFINITY));
        }
        assert.ok(foremost.least > Number.NEGATIVE_INFINITY || all.length <= 2 * count + 256);
        assert.equal(
          [...foremost.rows(from)],
          expected.slice(from, count).map(({ row }) => row),
        );
      }),
    );
  });
});
