import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { RowList } from "../../../../src/engine/session/lists/row-list.ts";
import { describe } from "../../../support/describe.ts";
import { rounds } from "../../../support/rounds.ts";

describe("row list", (test) => {
  test("given any changes, the list equals a sorted set of rows", () => {
    const step = fc.record({
      kind: fc.constantFrom("in", "in", "out", "all", "each", "forget", "view"),
      row: fc.nat(60),
      // Mostly the next one, as rows are added.
      isNext: fc.nat(3).map((dice) => dice > 0),
      count: fc.nat(9),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.nat(70), fc.nat(70), (steps, begin, end) => {
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
          if (kind === "all") list.appendAll(next, next + count);
          if (kind === "each") list.appendEach(Uint32Array.from(more));
          if (kind === "all" || kind === "each") held = [...held, ...more];
          if (kind === "forget") {
            list.forgetBefore(row);
            held = held.filter((other) => other >= row);
          }
          if (kind === "view") assert.equal([...list.view()], held);
          assert.is(list.length, held.length);
          assert.equal([...list.slice(begin, end)], held.slice(begin, end));
        }
        assert.equal([...list.view()], held);
      }),
      { numRuns: rounds(500) },
    );
  });

  test("given many rows at once, appends them as if one by one", () => {
    const stretches = fc.array(fc.tuple(fc.nat(20), fc.nat(3_000), fc.nat(2_000)), { maxLength: 8 });
    fc.assert(
      fc.property(stretches, (all) => {
        const [together, single] = [new RowList(), new RowList()];
        let next = 0;
        for (const [gap, length, kept] of all) {
          const first = next + gap;
          next = first + length;
          together.appendAll(first, next);
          for (let row = first; row < next; row += 1) single.appendEach(Uint32Array.of(row));
          for (const list of [together, single]) list.forgetBefore(next - kept);
        }
        assert.equal(together.view(), single.view());
      }),
    );
  });

  test("given more and more rows and evictions of the oldest, keeps the latest rows", () => {
    const list = new RowList();
    for (let row = 0; row < 5_000; row += 1) {
      list.set(row, true);
      list.forgetBefore(row - 99);
    }
    assert.equal([list.length, list.view()[0], list.view()[99]], [100, 4_900, 4_999]);
  });
});
