import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { targetAt } from "../../../src/ui/parts/reorder.ts";
import { describe } from "../../support/describe.ts";

const anyMiddles = fc
  .uniqueArray(fc.integer({ min: -500, max: 2_000 }), { minLength: 1, maxLength: 20 })
  .map((middles) => middles.sort((a, b) => a - b));

const anyX = fc.double({ min: -1_000, max: 3_000, noNaN: true });

describe("reordering by drag", (test) => {
  test("given a dropped item, puts it between the two middles around it, or leaves it between its neighbours", () => {
    fc.assert(
      fc.property(anyMiddles, fc.nat(), anyX, (middles, at, x) => {
        const from = at % middles.length;
        const target = targetAt(x, middles, from);
        const left = target === null ? from - 1 : target - 1;
        const right = target ?? from + 1;
        assert.ok((middles[left] ?? Number.NEGATIVE_INFINITY) <= x);
        assert.ok(x <= (middles[right] ?? Number.POSITIVE_INFINITY));
      }),
    );
  });

  test("given a dragged item, moves it only once it passes the middle of a neighbour", () => {
    const middles = [50, 150, 250];
    assert.equal(
      [51, 149, 151, 249].map((x) => targetAt(x, middles, 1)),
      [null, null, null, null],
    );
    assert.equal(
      [49, 251].map((x) => targetAt(x, middles, 1)),
      [0, 3],
    );
  });
});
