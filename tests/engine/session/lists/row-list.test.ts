import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { RowList } from "../../../../src/engine/session/lists/row-list.ts";
import { describe } from "../../../support/describe.ts";
import { rounds } from "../../../support/rounds.ts";

describe("row list", (test) => {
  test("given any changes, the list equals a sorted set of rows", () => {
    const step = fc.record({
      kind: fc.constantFrom("in", "in", "out", "each", "forget"),
      row: fc.nat(60),
      // Mostly the next one, as rows are added.
      isNext: fc.nat(3).map((dice) => dice > 0),
      count: fc.nat(9),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const list = new RowList();
        let held: number[] = [];
        for (const { kind, row, isNext, count } of steps) {
          const next = 1 + (held.at(-1) ?? -1) + (isNext ? 0 : row);
          const more = Array.from({ length: count }, (_, index) => next + index);
          if (kind === "in") {
            list.set(isNext ? next : row, true);
            held = [...new Set([...held, isNext ? next : row])].sort((a, b) => a - b);
          }
          if (kind === "out") {
            list.set(row, false);
            held = held.filter((other) => other !== row);
          }
          if (kind === "each") {
            list.append(Uint32Array.from(more));
            held = [...held, ...more];
          }
          if (kind === "forget") {
            list.forgetBefore(row);
            held = held.filter((other) => other >= row);
          }
          assert.equal([...list.rows], held);
        }
      }),
      { numRuns: rounds(500) },
    );
  });

  test("given more and more rows and evictions of the oldest, keeps the latest rows", () => {
    const list = new RowList();
    for (let row = 0; row < 5_000; row += 1) {
      list.set(row, true);
      list.forgetBefore(row - 99);
    }
    assert.equal([list.rows.length, list.rows[0], list.rows[99]], [100, 4_900, 4_999]);
  });
});
