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

  test("takes many rows at once as one by one", () => {
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

  test("grows, also when its oldest have left", () => {
    const list = new RowList();
    for (let row = 0; row < 5_000; row += 1) {
      list.set(row, true);
      list.forgetBefore(row - 99);
    }
    assert.equal([list.length, list.view()[0], list.view()[99]], [100, 4_900, 4_999]);
  });
});
