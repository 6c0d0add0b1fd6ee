import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { isOversized, leastOversized } from "../../../src/engine/insights/oversized-responses.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";

const KB = 1_024;
const settings = { oversizedFactor: 2, oversizedFloor: 10 * KB };

function judged(sizes: readonly number[]): boolean[] {
  const responseBytes = sizes.reduce((sum, size) => sum + size, 0);
  return sizes.map((size) => isOversized(size, { responses: sizes.length, responseBytes }, settings));
}

describe("oversized responses", (test) => {
  test("given sizes above and at twice the mean of the others, only those above are oversized", () => {
    assert.equal(judged([20 * KB, 20 * KB, 20 * KB, 20 * KB, 41 * KB]), [false, false, false, false, true]);
    assert.equal(judged([20 * KB, 20 * KB, 20 * KB, 20 * KB, 40 * KB]), [false, false, false, false, false]);
  });

  test("given a size at the floor above the mean, the response is not oversized, but one byte more is", () => {
    assert.equal(judged([1, 1, 1, 1, 10 * KB]).at(-1), false);
    assert.equal(judged([1, 1, 1, 1, 10 * KB + 1]).at(-1), true);
  });

  test("given fewer than five responses, none is oversized", () => {
    assert.equal(judged([1, 1, 1, 900 * KB]).at(-1), false);
    assert.is(leastOversized({ responses: 4, responseBytes: 4 }, settings), Number.POSITIVE_INFINITY);
  });

  test("given a size exactly at the factor's bound, it is not oversized, but one byte more is", () => {
    const drawn = fc.record({
      others: fc.integer({ min: 4, max: 1_000 }),
      tenths: fc.integer({ min: 11, max: 1_000 }),
      unit: fc.integer({ min: 1, max: 100_000 }),
    });
    fc.assert(
      fc.property(drawn, ({ others, tenths, unit }) => {
        // All but one have ten units each, and that one has `tenths`.
        const counted = (size: number) => ({ responses: others + 1, responseBytes: 10 * unit * others + size });
        const set = { oversizedFactor: tenths / 10, oversizedFloor: 0 };
        const bound = tenths * unit;
        assert.not(isOversized(bound, counted(bound), set));
        assert.ok(isOversized(bound + 1, counted(bound + 1), set));
      }),
      { numRuns: rounds(1_000) },
    );
  });

  test("given any mean and bounds, the least oversized size is oversized, and one byte less is not", () => {
    const payload = fc.record({ responses: fc.integer({ min: 5, max: 1_000 }), responseBytes: fc.nat(1e9) });
    const bounds = fc.record({
      oversizedFactor: fc.integer({ min: 11, max: 1_000 }),
      oversizedFloor: fc.nat(100 * KB),
    });
    fc.assert(
      fc.property(payload, bounds, (counted, { oversizedFactor, oversizedFloor }) => {
        const set = { oversizedFactor: oversizedFactor / 10, oversizedFloor };
        const least = leastOversized(counted, set);
        assert.not(isOversized(least - 1, counted, set));
        assert.ok(isOversized(least, counted, set));
      }),
      {
        numRuns: rounds(1_000),
        // The factor's limit is a whole size here, so rounding may put each formula on a different side of it.
        examples: [
          [
            { responses: 375, responseBytes: 980_186_877 },
            { oversizedFactor: 136, oversizedFloor: 0 },
          ],
        ],
      },
    );
  });
});
