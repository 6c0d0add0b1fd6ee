import * as assert from "uvu/assert";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { brushOf, densityPathOf, errorPathsOf, gripAt } from "../../../../src/ui/views/timeline/overview.ts";
import { describe } from "../../../support/describe.ts";

const at = (moment: number) => moment as Instant;
const slices = [
  { requests: 10, errors: 0 },
  { requests: 0, errors: 0 },
  { requests: 5, errors: 2 },
  { requests: 1, errors: 1 },
];

describe("Timeline minimap bars and brush", (test) => {
  test("given slices, scales their bars to the highest one and draws none for empty slices", () => {
    const path = densityPathOf(slices, 40);
    assert.is(path.split("M").length - 1, 3);
    assert.match(path, /^M0 44v-34h9v34z/);
    assert.match(path, "M20 44v-17h9v17z");
  });

  test("given slices with errors, marks them with diamonds and merges those that would touch", () => {
    const diamonds = (width: number, from: number, to: number) => {
      const { within, beside } = errorPathsOf(slices, width, { from, to });
      return [within, beside].map((path) => path.split("M").length - 1);
    };
    assert.equal(diamonds(400, 0, 400), [2, 0]);
    assert.equal(diamonds(8, 0, 8), [1, 0]);
    assert.equal(diamonds(400, 300, 400), [1, 1]);
    assert.equal(diamonds(400, 0, 100), [0, 2]);
  });

  test("given any range, keeps the brush visible and within the minimap", () => {
    const whole = { from: at(0), to: at(100_000) };
    assert.equal(brushOf({ from: at(50_000), to: at(50_001) }, whole, 1_000), { from: 500, to: 503 });
    assert.equal(brushOf({ from: at(-5_000), to: at(200_000) }, whole, 1_000), { from: 0, to: 1_000 });
    assert.equal(brushOf({ from: at(100_000), to: at(100_001) }, whole, 1_000), { from: 997, to: 1_000 });
  });

  test("given a press, takes the nearest edge, moves even a narrow brush, or starts a new one", () => {
    const brush = { from: 100, to: 200 };
    assert.equal(
      [98, 104, 150, 197, 206, 300, 40].map((x) => gripAt(x, brush)),
      ["from", "from", "move", "to", "to", "new", "new"],
    );
    assert.equal(
      [100, 105, 109].map((x) => gripAt(x, { from: 100, to: 109 })),
      ["from", "move", "to"],
    );
  });
});
