import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { byFrequency, pairsIn, smallestOf, spreadOf, sumOf } from "../../../../src/engine/insights/findings/numbers.ts";
import { describe } from "../../../support/describe.ts";

const integers = fc.array(fc.integer({ min: -20, max: 20 }));

describe("numbers of findings", (test) => {
  test("given any values, the smallest and the spread are those of the sorted values", () => {
    fc.assert(
      fc.property(integers, (values) => {
        const sorted = values.toSorted((left, right) => left - right);
        const [first = 0, last = 0] = [sorted[0], sorted.at(-1)];
        assert.equal([smallestOf(values), spreadOf(values)], [first, last - first]);
      }),
    );
  });

  test("given any values, pairs hold each value with the one before it, and their differences add up", () => {
    fc.assert(
      fc.property(integers, (values) => {
        const pairs = pairsIn(values);
        assert.is(pairs.length, Math.max(0, values.length - 1));
        assert.is(
          sumOf(pairs, ([before, value]) => value - before),
          (values.at(-1) ?? 0) - (values[0] ?? 0),
        );
      }),
    );
  });

  test("given any values, each is counted once, the most frequent first", () => {
    fc.assert(
      fc.property(integers, (values) => {
        const counts = byFrequency(values);
        assert.is(counts.length, new Set(values).size);
        for (const [value, count] of counts) assert.is(count, values.filter((one) => one === value).length);
        for (const [[, before], [, count]] of pairsIn(counts)) assert.ok(before >= count);
      }),
    );
  });

  test("given equally frequent values, the first stays first", () => {
    assert.equal(byFrequency(["b", "a", "a", "b"]), [
      ["b", 2],
      ["a", 2],
    ]);
  });
});
