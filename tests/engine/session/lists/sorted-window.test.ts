import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { TopK, windowByStart, windowOf } from "../../../../src/engine/session/lists/sorted-window.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { recorded } from "../../../support/recorded.ts";
import { nearly } from "../../../support/starts.ts";

describe("sorted list range", (test) => {
  test("given keys, a range equals that of the stable sort, with missing keys last", () => {
    const keys = fc.array(
      fc.oneof(fc.nat(5), fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.constant(Number.NaN)),
      { maxLength: 300 },
    );
    fc.assert(
      fc.property(keys, fc.nat(310), fc.nat(100), (given, from, count) => {
        const order = given.map((_, index) => index).sort((a, b) => rank(given[a]) - rank(given[b]) || a - b);
        assert.equal(
          windowOf([...given.keys()], Float64Array.from(given), { from, count }),
          order.slice(from, from + count),
        );
      }),
    );
  });
});

function rank(key: number | undefined): number {
  return key === undefined || Number.isNaN(key) ? 1e9 : key;
}

describe("sorted head of a list", (test) => {
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

describe("list range by start", (test) => {
  test("given some rows, a range by start equals that of sorting them all", () => {
    fc.assert(
      fc.property(nearly(20, 300), fc.nat(3), fc.nat(250), fc.nat(40), (starts, leftOut, from, count) => {
        const { table } = recorded(starts.map((start, index) => exchange({ id: index + 1, start, end: start + 1 })));
        const rows = Uint32Array.from(starts.keys()).filter((row) => leftOut === 0 || row % (leftOut + 1) !== 0);
        const sorted = rows.toSorted((a, b) => table.instants.startAt(a) - table.instants.startAt(b) || a - b);
        const to = Math.min(rows.length, from + count);
        assert.equal(windowByStart(table, rows, Math.min(from, to), to), sorted.slice(Math.min(from, to), to));
      }),
    );
  });
});
