import * as assert from "uvu/assert";
import { goesOn, type LinePoint } from "../../../src/ui/parts/line-points.ts";
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
