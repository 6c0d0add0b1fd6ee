import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { besideLines, placeLabels } from "../../../src/ui/parts/marker-labels.ts";
import { describe } from "../../support/describe.ts";

describe("marker labels", (test) => {
  test("a label stands left of its line", () => {
    assert.equal(placeLabels([{ x: 100, width: 40 }], 300), [{ left: 56, line: 0 }]);
  });

  test("a label flips to the right where its neighbour or the edge leaves no room", () => {
    assert.equal(placeLabels([{ x: 10, width: 40 }], 300), [{ left: 14, line: 0 }]);
    assert.equal(
      placeLabels(
        [
          { x: 200, width: 40 },
          { x: 220, width: 40 },
        ],
        300,
      ),
      [
        { left: 156, line: 0 },
        { left: 224, line: 0 },
      ],
    );
  });

  test("a label with no room on either side goes one line lower", () => {
    const three = [100, 102, 104].map((x) => ({ x, width: 40 }));
    assert.equal(placeLabels(three, 300), [
      { left: 56, line: 0 },
      { left: 58, line: 1 },
      { left: 108, line: 0 },
    ]);
  });

  test("no label stands on another, and none leaves a box with room", () => {
    const label = fc.record({ x: fc.integer({ min: 0, max: 300 }), width: fc.integer({ min: 5, max: 80 }) });
    fc.assert(
      fc.property(fc.array(label, { maxLength: 3 }), (labels) => {
        const sorted = labels.sort((a, b) => a.x - b.x);
        const places = placeLabels(sorted, 300);
        for (const [index, place] of places.entries()) {
          const width = sorted[index]?.width ?? 0;
          assert.ok(place.left >= 0 && place.left + width <= 300);
          for (const [other, against] of places.entries()) {
            if (other === index || against.line !== place.line) continue;
            const apart =
              against.left >= place.left + width + 4 || place.left >= against.left + (sorted[other]?.width ?? 0) + 4;
            assert.ok(apart);
          }
        }
      }),
    );
  });

  test("a count keeps off the lines that cross its bar", () => {
    assert.is(besideLines(50, 12, [], 0, 100), 50);
    assert.is(besideLines(50, 12, [90], 0, 100), 50);
    assert.is(besideLines(50, 12, [48], 0, 100), 56);
    assert.is(besideLines(50, 12, [48], 0, 60), 40);
    assert.is(besideLines(5, 12, [5], 0, 10), 5, "a bar without room keeps it in its middle");
  });
});
