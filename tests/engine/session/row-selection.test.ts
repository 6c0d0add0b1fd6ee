import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { selectRows } from "../../../src/engine/session/row-selection.ts";
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
      }),
    );
  });
});

function rank(key: number | undefined): number {
  return key === undefined || Number.isNaN(key) ? 1e9 : key;
}
