import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { compareIntervals } from "../../../src/engine/insights/parallel-groups.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { rowsByStart } from "../../../src/engine/session/rows-by-start.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { recorded } from "../../support/recorded.ts";
import { timeline } from "../../support/timeline.ts";

describe("rows by start", (test) => {
  test("rows come by start, of those that start together the longest first, then the earlier id", () => {
    const drawing = timeline(`
      a   --
      b ----
      c ------
      d   --
      e -
    `);
    assert.equal([...rowsByStart(recorded(drawing).table)], [2, 1, 4, 0, 3]);
  });

  test("without a row there is nothing, and forgotten rows are left out", () => {
    assert.equal([...rowsByStart(recorded([]).table)], []);
    const late = [5, 1, 4, 2].map((start, index) => exchange({ id: index + 1, start, end: start + 1 }));
    assert.equal([...rowsByStart(recorded(late, 3).table)], [1, 3, 2]);
  });

  test("the order is the one that sweeps over intervals ask for, what is in flight ending where it starts", () => {
    const sketch = fc.record({ start: fc.nat(9), length: fc.option(fc.nat(4)) });
    fc.assert(
      fc.property(fc.array(sketch, { maxLength: 40 }), (sketches) => {
        const exchanges = sketches.map(({ start, length }, index) =>
          exchange({ id: index + 1, start, end: length === null ? null : start + length }),
        );
        const times = exchanges.map(({ id, instants, endTime }) => ({
          id,
          start: instants.startTime,
          end: (endTime ?? instants.startTime) as Instant,
        }));
        const { table } = recorded(exchanges);
        assert.equal(
          Array.from(rowsByStart(table), (row) => table.ids.at(row)),
          times.toSorted(compareIntervals).map(({ id }) => id),
        );
      }),
    );
  });
});
