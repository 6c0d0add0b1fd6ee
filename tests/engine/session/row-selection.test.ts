import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { leastRows, selectRows } from "../../../src/engine/session/row-selection.ts";
import { describe } from "../../support/describe.ts";

describe("row selection", (test) => {
  test("a window equals that of the whole order, rows without a key last", () => {
    const keys = fc.array(
      fc.oneof(fc.nat(5), fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.constant(Number.NaN)),
      { maxLength: 300 },
    );
    fc.assert(
      fc.property(keys, fc.nat(310), fc.nat(100), (given, from, count) => {
        const order = given.map((_, row) => row).sort((a, b) => rank(given[a]) - rank(given[b]) || a - b);
        const window = selectRows(Float64Array.from(given), Uint32Array.from(given.keys()), from, from + count);
        assert.equal([...window], order.slice(from, from + count));
        const first = leastRows(Uint32Array.from(given.keys()), (row) => given[row] as number, from);
        assert.equal([...first], order.slice(0, from));
      }),
    );
  });

  test("the first of rows in any number, whatever they are numbered", () => {
    const keys = new Map([
      [7, 3],
      [9, 1],
      [12, Number.NaN],
      [15, 1],
    ]);
    const first = (count: number) => [...leastRows(Uint32Array.from(keys.keys()), (row) => keys.get(row) ?? 0, count)];
    assert.equal([first(0), first(1), first(3), first(9)], [[], [9], [9, 15, 7], [9, 15, 7, 12]]);
  });
});

function rank(key: number | undefined): number {
  return key === undefined || Number.isNaN(key) ? 1e9 : key;
}
