import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { NumberList } from "../../../src/engine/stats/number-list.ts";
import { describe } from "../../support/describe.ts";

/** What the two readings of a clock of this century are apart. */
const between = fc
  .tuple(fc.double({ min: 1.1e12, max: 2.1e12, noNaN: true }), fc.double({ min: 0, max: 1e7, noNaN: true }))
  .map(([from, length]) => from + length - from);

function givesBack(numbers: readonly number[], form: "length" | "whole"): void {
  const list = new NumberList(form);
  for (const value of numbers) list.push(value);
  const copy = new Float64Array(numbers.length + 1);
  assert.is(list.copyTo(copy, 1), numbers.length + 1);
  assert.is(list.length, numbers.length);
  assert.equal([...copy.subarray(1)], numbers);
  assert.equal(
    numbers.map((_, index) => list.at(index)),
    numbers,
  );
}

describe("number list", (test) => {
  for (const count of [0, 1, 4, 5, 1_023, 1_024, 1_025, 5_000]) {
    test(`gives back ${count} numbers in their order`, () => {
      const numbers = Array.from({ length: count }, (_, index) => index + 0.5);
      givesBack(numbers, "length");
      givesBack(numbers.map(Math.floor), "whole");
    });
  }

  test("gives back every length of time exactly, however long or fine", () => {
    const length = fc.oneof({ weight: 20, arbitrary: between }, fc.double({ min: 0, noNaN: true }));
    fc.assert(fc.property(fc.array(length, { size: "large" }), (numbers) => givesBack(numbers, "length")));
  });

  test("a late length that does not fit leaves those before it as they were", () => {
    const fitting = Array.from({ length: 3_000 }, (_, index) => index / 4_096);
    for (const odd of [0.1, 1e9, -1]) givesBack([...fitting, odd, 2], "length");
  });
});
