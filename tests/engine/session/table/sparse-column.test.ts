import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { CHUNK_ROWS } from "../../../../src/engine/session/table/column.ts";
import { SparseColumn } from "../../../../src/engine/session/table/sparse-column.ts";
import { describe } from "../../../support/describe.ts";

const WIDTH = 3;

/** Writes to a cell this many rows after the first kept one, then forgets this many rows. */
const step = fc.record({
  ahead: fc.oneof(fc.nat(300), fc.nat(3 * CHUNK_ROWS)),
  cell: fc.nat(WIDTH - 1),
  value: fc.oneof(fc.double(), fc.constant(Number.NaN)),
  forgotten: fc.oneof({ arbitrary: fc.constant(0), weight: 5 }, { arbitrary: fc.nat(2 * CHUNK_ROWS), weight: 1 }),
});

describe("a sparse column", (test) => {
  test("gives back each cell as it was last written, and NaN where nothing was", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const column = new SparseColumn(WIDTH);
        const written = new Map<number, number[]>();
        let first = 0;
        for (const { ahead, cell, value, forgotten } of steps) {
          const row = first + ahead;
          const cells = written.get(row) ?? Array<number>(WIDTH).fill(Number.NaN);
          cells[cell] = value;
          written.set(row, cells);
          column.put(row, cell, value);
          first += forgotten;
          column.forgetBefore(first);
          for (const [each, values] of written) {
            if (each < first) continue;
            assert.ok(column.has(each));
            assert.equal(
              values.map((_, index) => column.at(each, index)),
              values,
            );
          }
          for (const near of [row - 1, row + 1, row + CHUNK_ROWS]) {
            if (near < first || written.has(near)) continue;
            assert.not(column.has(near));
            assert.ok(Number.isNaN(column.at(near, cell)));
          }
        }
      }),
    );
  });

  test("every row of a chunk may be written, and rows that take a forgotten chunk's memory hold nothing of it", () => {
    const column = new SparseColumn(WIDTH);
    for (let row = 0; row < CHUNK_ROWS; row += 1) column.put(row, row % WIDTH, row);
    for (let row = 0; row < CHUNK_ROWS; row += 1) {
      if (column.at(row, row % WIDTH) !== row) assert.unreachable(`row ${row} holds ${column.at(row, row % WIDTH)}`);
    }
    column.forgetBefore(CHUNK_ROWS);
    column.put(CHUNK_ROWS, 0, 1);
    assert.equal(
      [0, 1, 2].map((cell) => column.at(CHUNK_ROWS, cell)),
      [1, Number.NaN, Number.NaN],
    );
    assert.not(column.has(CHUNK_ROWS + 1));
  });
});
