import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  barAt,
  brushAfter,
  brushOver,
  brushText,
  isBrushed,
  NO_BRUSH,
} from "../../../../src/ui/views/performance/endpoint-panel.ts";
import { describe } from "../../../support/describe.ts";

const barsOf = (counts: readonly number[], from = 100) =>
  counts.map((count, bar) => ({ lo: from + bar, hi: from + bar + 1, count }));
const anyCounts = fc.array(fc.nat(20), { minLength: 1, maxLength: 30 });

describe("brush of the endpoint panel's histogram", (test) => {
  test("given two bars in either order, covers the range between them with the sum of their requests", () => {
    fc.assert(
      fc.property(anyCounts, fc.nat(29), fc.nat(29), (counts, one, other) => {
        fc.pre(Math.max(one, other) < counts.length);
        const brush = brushOver(barsOf(counts), one, other);
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const count = counts.slice(low, high + 1).reduce((sum, each) => sum + each, 0);
        assert.equal(brush.range, { lo: 100 + low, hi: 101 + high, count });
        const marked = counts.map((_, bar) => isBrushed(brush, bar));
        assert.equal(
          marked,
          counts.map((_, bar) => low !== high && bar >= low && bar <= high),
        );
      }),
    );
  });

  test("given a selection, keeps its range and count when traffic moves the bars", () => {
    const brush = brushOver(barsOf([1, 2, 3]), 0, 2);
    assert.is(brushText(brush), "100 to 103 ms: 6 requests");
    assert.equal(brushOver(barsOf([1, 2, 3], 50), 0, 2).range, { lo: 50, hi: 53, count: 6 });
    assert.equal(brush.range, { lo: 100, hi: 103, count: 6 });
  });

  test("given arrow keys, moves the selection, with Shift only its end, and never beyond the bars", () => {
    const bars = barsOf([1, 2, 3]);
    const after = (keys: readonly string[]) =>
      keys.reduce((brush, word) => {
        const [key = "", shift] = word.split("+").reverse();
        return brushAfter({ key, shiftKey: shift === "Shift" }, brush, bars) ?? brush;
      }, NO_BRUSH);
    const ends = (...keys: readonly string[]) => [after(keys).from, after(keys).to];
    assert.equal(ends("ArrowRight"), [1, 1]);
    assert.equal(ends("ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight"), [1, 2]);
    assert.equal(ends("ArrowRight", "Shift+ArrowLeft", "Shift+ArrowLeft"), [1, 0]);
    assert.equal(ends("ArrowLeft"), [0, 0]);
    assert.is(brushAfter({ key: "Home", shiftKey: false }, NO_BRUSH, bars), null);
  });

  test("given a point beside the chart, picks the first or last bar, and shows no text for a single bar", () => {
    assert.equal(
      [-5, 0, 99, 100, 250].map((x) => barAt(x, 100, 4)),
      [0, 0, 3, 3, 3],
    );
    assert.equal([brushText(NO_BRUSH), brushText(brushOver(barsOf([1]), 0, 0))], ["", ""]);
    assert.is(brushOver([], 0, 0).range, null);
  });
});
