import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { CHUNK_ROWS, WholeColumn } from "../../../src/engine/session/column.ts";
import { describe } from "../../support/describe.ts";

describe("a column of whole numbers", (test) => {
  test("many rows are read as each by itself, with gaps and without, over the ends of chunks and where nothing was written", () => {
    const column = new WholeColumn();
    for (let row = 0; row < CHUNK_ROWS + 50; row += 1) column.put(row, 7 * row);
    for (let row = 3 * CHUNK_ROWS - 20; row < 3 * CHUNK_ROWS + 20; row += 1) column.put(row, row);
    const steps = fc.array(fc.constantFrom(1, 1, 1, 2, CHUNK_ROWS), { maxLength: 40 });
    const first = fc.oneof(fc.nat(4 * CHUNK_ROWS), fc.constantFrom(CHUNK_ROWS - 10, 3 * CHUNK_ROWS - 30));
    fc.assert(
      fc.property(first, fc.oneof(steps, fc.constant(Array(40).fill(1))), fc.nat(41), (from, gaps, most) => {
        const rows = [from];
        for (const gap of gaps) rows.push((rows.at(-1) ?? 0) + gap);
        const count = Math.min(most, rows.length);
        const values = new Uint32Array(rows.length).fill(9);
        column.read(Uint32Array.from(rows), count, values);
        assert.equal(
          [...values],
          rows.map((row, place) => (place < count ? column.at(row) : 9)),
        );
      }),
    );
  });
});
