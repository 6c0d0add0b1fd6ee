import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { windowByStart } from "../../../../src/engine/session/lists/window-by-start.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { recorded } from "../../../support/recorded.ts";
import { nearly } from "../../../support/starts.ts";

describe("a window by start", (test) => {
  test("a window of some of the rows is what sorting all of them gives", () => {
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
