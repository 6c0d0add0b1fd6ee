import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { RowList } from "../../../src/engine/session/row-list.ts";
import { describe } from "../../support/describe.ts";

describe("row list", (test) => {
  test("holds what a sorted set holds", () => {
    const steps = fc.array(fc.tuple(fc.nat(60), fc.boolean()), { maxLength: 200 });
    fc.assert(
      fc.property(steps, fc.nat(60), (all, first) => {
        const list = new RowList();
        const set = new Set<number>();
        for (const [row, held] of all) {
          list.set(row, held);
          if (held) set.add(row);
          else set.delete(row);
        }
        list.forgetBefore(first);
        const expected = [...set].filter((row) => row >= first).sort((a, b) => a - b);
        assert.equal([...list.view()], expected);
        assert.is(list.length, expected.length);
      }),
    );
  });

  test("grows, also when its oldest have left", () => {
    const list = new RowList();
    for (let row = 0; row < 5_000; row += 1) {
      list.set(row, true);
      list.forgetBefore(row - 99);
    }
    assert.equal([list.length, list.view()[0], list.view()[99]], [100, 4_900, 4_999]);
  });
});
