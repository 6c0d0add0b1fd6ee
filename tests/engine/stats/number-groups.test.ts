import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { NumberGroups } from "../../../src/engine/stats/number-groups.ts";
import { describe } from "../../support/describe.ts";

/** What the two readings of a clock of this century are apart. */
const between = fc
  .tuple(fc.double({ min: 1.1e12, max: 2.1e12, noNaN: true }), fc.double({ min: 0, max: 1e7, noNaN: true }))
  .map(([from, length]) => from + length - from);

type Pushed = readonly (readonly [group: number, value: number])[];

const GROUPS = 5;

/** Each group as it was pushed, and behind what was there. */
function givesBack(pushed: Pushed, form: "length" | "whole"): void {
  const groups = new NumberGroups(form, GROUPS);
  for (const [group, value] of pushed) groups.push(group, value);
  for (let group = 0; group < GROUPS; group += 1) {
    const expected = pushed.flatMap(([of, value]) => (of === group ? [value] : []));
    const copy = new Float64Array(expected.length + 1);
    assert.is(groups.count(group), expected.length);
    assert.is(groups.copyTo(group, copy, 1), expected.length + 1);
    assert.equal([...copy], [0, ...expected]);
  }
}

function alternating(numbers: readonly number[]): Pushed {
  return numbers.map((value, index) => [(index * index) % GROUPS, value]);
}

describe("number groups", (test) => {
  for (const count of [0, 1, 15, 16, 17, 4_096, 5_000, 20_000]) {
    test(`give back ${count} numbers in their order`, () => {
      const numbers = Array.from({ length: count }, (_, index) => index + 0.5);
      for (const pushed of [alternating(numbers), numbers.map((value) => [3, value] as const)]) {
        givesBack(pushed, "length");
        givesBack(
          pushed.map(([group, value]) => [group, Math.floor(value)]),
          "whole",
        );
      }
    });
  }

  test("give back every length of time exactly, however long or fine", () => {
    const length = fc.oneof({ weight: 20, arbitrary: between }, fc.double({ min: 0, noNaN: true }));
    const pushed = fc.array(fc.tuple(fc.nat(GROUPS - 1), length), { size: "large" });
    fc.assert(fc.property(pushed, (all) => givesBack(all, "length")));
  });

  test("a late length that does not fit leaves those before it as they were", () => {
    const fitting = Array.from({ length: 9_000 }, (_, index) => index / 4_096);
    for (const odd of [0.1, 1e9, -1]) givesBack(alternating([...fitting, odd, 2, ...fitting]), "length");
  });
});
