import * as assert from "uvu/assert";
import { goesOn, type LinePoint, rangeAcross } from "../../../src/ui/parts/line-points.ts";
import { describe } from "../../support/describe.ts";

const point = (time: number, value: number): LinePoint => ({ time, value });
const gap = (time: number): LinePoint => ({ time });

describe("a line that is held", (test) => {
  test("goes on where only its newest point changed, and where more came after it", () => {
    const held = [point(1, 5), gap(2), point(3, 6)];
    assert.ok(goesOn(held, [point(1, 5), gap(2), point(3, 7)]));
    assert.ok(goesOn(held, [point(1, 5), gap(2), point(3, 7), gap(4), point(5, 1)]));
  });

  test("is another one where an older point changed, became a gap, or is missing", () => {
    const held = [point(1, 5), point(2, 6), point(3, 6)];
    assert.not.ok(goesOn(held, [point(1, 4), point(2, 6), point(3, 6)]));
    assert.not.ok(goesOn(held, [point(1, 5), gap(2), point(3, 6)]));
    assert.not.ok(goesOn(held, [point(1, 5), point(2, 6)]));
    assert.not.ok(goesOn([], held));
  });

  test("is another one where its newest point is at no moment of the next: of another endpoint, or in longer slices", () => {
    assert.not.ok(goesOn([point(9, 243)], [point(10, 5), point(11, 6)]));
    assert.not.ok(goesOn([point(9, 243)], [point(8, 243)]));
    assert.not.ok(goesOn([point(1, 5), point(2, 6)], [point(1, 5), point(3, 6)]));
  });
});

describe("the stretch of a chart's axis", (test) => {
  /** Where a point is drawn on an axis longer than the range: in the middle of its slot, px. */
  const placeOf = (index: number, count: number, width: number, room: number): number => {
    const range = rangeAcross(count, width, room);
    if (range === null) throw new Error("no stretch");
    return (index - range.from + 0.5) * (width / (range.to - range.from + 1));
  };

  for (const count of [2, 3, 60]) {
    test(`${count} points reach from its left edge to the room beside the last`, () => {
      assert.is(Math.round(placeOf(0, count, 400, 62)), 4);
      assert.is(Math.round(placeOf(count - 1, count, 400, 62)), 338);
    });
  }

  test("is none for fewer than two points, and none without a width", () => {
    assert.equal([rangeAcross(0, 400, 62), rangeAcross(1, 400, 62), rangeAcross(2, 60, 62)], [null, null, null]);
  });
});
