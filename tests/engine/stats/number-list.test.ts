import * as assert from "uvu/assert";
import { NumberList } from "../../../src/engine/stats/number-list.ts";
import { describe } from "../../support/describe.ts";

describe("number list", (test) => {
  for (const count of [0, 1, 4, 5, 1_023, 1_024, 1_025, 5_000]) {
    test(`gives back ${count} numbers in their order`, () => {
      const list = new NumberList("real");
      const numbers = Array.from({ length: count }, (_, index) => index + 0.5);
      for (const value of numbers) list.push(value);
      const copy = new Float64Array(count + 1);
      assert.is(list.copyTo(copy, 1), count + 1);
      assert.is(list.length, count);
      assert.equal([...copy.subarray(1)], numbers);
      assert.equal(
        numbers.map((_, index) => list.at(index)),
        numbers,
      );
    });
  }
});
