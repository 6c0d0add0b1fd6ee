import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { seededRandom, shuffle } from "../../../src/engine/stats/seeded-random.ts";
import { describe } from "../../support/describe.ts";

describe("seeded random numbers", (test) => {
  test("given a seed, the numbers are those of the seed, from 0 to below 1, and spread evenly", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const [one, other] = [seededRandom(seed), seededRandom(seed)];
        const drawn = Array.from({ length: 1_000 }, () => one());
        assert.ok(drawn.every((number) => number === other() && number >= 0 && number < 1));
        const low = drawn.filter((number) => number < 0.5).length;
        assert.ok(low > 400 && low < 600, `${low} of 1,000`);
      }),
    );
  });

  test("given a range, shuffling keeps its values and leaves the others in place", () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { maxLength: 30 }), fc.nat(30), fc.nat(30), (values, one, other) => {
        const [from, to] = [Math.min(one, other, values.length), Math.min(Math.max(one, other), values.length)];
        const shuffled = [...values];
        shuffle(shuffled, from, to, seededRandom(values.length));
        assert.equal(shuffled.slice(0, from), values.slice(0, from));
        assert.equal(shuffled.slice(to), values.slice(to));
        const sorted = (list: number[]) => list.toSorted((left, right) => left - right);
        assert.equal(sorted(shuffled.slice(from, to)), sorted(values.slice(from, to)));
      }),
    );
  });
});
