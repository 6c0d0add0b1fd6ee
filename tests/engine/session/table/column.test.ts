import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { CHUNK_ROWS, RealColumn, TextColumn, WholeColumn } from "../../../../src/engine/session/table/column.ts";
import { describe } from "../../../support/describe.ts";

describe("a column of whole numbers", (test) => {
  test("given rows with gaps, across chunks and never written, reads many at once as each by itself", () => {
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
        assert.equal(
          [...column.read(Uint32Array.from(rows), count).subarray(0, count)],
          rows.slice(0, count).map((row) => column.at(row)),
        );
      }),
    );
  });
});

describe("a column whose oldest rows are forgotten", (test) => {
  for (const [kind, make, unwritten, nth] of [
    ["whole numbers", () => new WholeColumn(), 0, (number: number) => number],
    ["real numbers", () => new RealColumn(Number.NaN), Number.NaN, (number: number) => number / 3],
    ["texts", () => new TextColumn(), null, (number: number) => `text ${number}`],
  ] as const) {
    test(`of ${kind}, those that are kept stay as they were written, and a new row holds nothing of a forgotten one`, () => {
      const step = fc.record({ ahead: fc.nat(2 * CHUNK_ROWS), forgotten: fc.nat(3 * CHUNK_ROWS) });
      fc.assert(
        fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
          const column: {
            at(row: number): unknown;
            put(row: number, value: never): void;
            forgetBefore(row: number): void;
          } = make();
          const kept = new Map<number, unknown>();
          let first = 0;
          for (const [index, { ahead, forgotten }] of steps.entries()) {
            const row = first + ahead;
            kept.set(row, nth(index + 1));
            column.put(row, nth(index + 1) as never);
            for (const [each, value] of kept) if (each >= first) assert.is(column.at(each), value);
            for (const near of [row - 1, row + 1, row + CHUNK_ROWS, row ^ 7]) {
              if (near >= first && !kept.has(near)) assert.equal(column.at(near), unwritten);
            }
            first = Math.max(first, row - forgotten);
            column.forgetBefore(first);
          }
        }),
      );
    });

    test(`of ${kind}, new rows hold nothing of forgotten ones, though all of those were written`, () => {
      const column: {
        at(row: number): unknown;
        put(row: number, value: never): void;
        forgetBefore(row: number): void;
      } = make();
      for (let row = 0; row < 3 * CHUNK_ROWS; row += 1) column.put(row, nth(row + 1) as never);
      column.forgetBefore(2 * CHUNK_ROWS);
      for (const chunk of [3, 4, 5]) {
        column.put(chunk * CHUNK_ROWS, nth(1) as never);
        for (let row = chunk * CHUNK_ROWS + 1; row < (chunk + 1) * CHUNK_ROWS; row += 1) {
          if (!Object.is(column.at(row), unwritten)) assert.unreachable(`row ${row} holds ${column.at(row)}`);
        }
      }
    });
  }
});
