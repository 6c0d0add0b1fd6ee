import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { TopK } from "../../../../src/engine/session/lists/top-k.ts";
import { describe } from "../../../support/describe.ts";

describe("the first of many rows", (test) => {
  test("given records in any order, holds the first by key, equal keys by row, records without a key last", () => {
    const key = fc.oneof(fc.nat(20), fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.constant(Number.NaN));
    const keys = fc.array(key, { minLength: 1, maxLength: 400 });
    const counts = fc.oneof(fc.nat(40), fc.constant(1_000_000));
    fc.assert(
      fc.property(keys, counts, fc.nat(10), fc.nat(), (all, count, from, seed) => {
        const top = new TopK(count);
        const expected = all.map((one, row) => ({ key: Number.isNaN(one) ? Number.POSITIVE_INFINITY : one, row }));
        expected.sort((a, b) => (a.key === b.key ? a.row - b.row : a.key - b.key));
        for (let told = 0; told < all.length; told += 1) {
          const row = (told + seed) % all.length;
          top.add(row, all[row] as number);
          assert.ok(top.greatest >= (expected[count - 1]?.key ?? Number.NEGATIVE_INFINITY));
        }
        if (count > 0 && count <= all.length) assert.is(top.greatest, expected[count - 1]?.key);
        assert.equal(
          [...top.rows(from)],
          expected.slice(from, count).map(({ row }) => row),
        );
      }),
    );
  });
});
