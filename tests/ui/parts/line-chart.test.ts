import * as assert from "uvu/assert";
import { overOneAxis } from "../../../src/ui/parts/line-chart.ts";
import { describe } from "../../support/describe.ts";

const at = (...times: number[]) => times.map((time) => ({ at: time, value: 1 }));
const gaps = (...times: number[]) => times.map((time) => ({ at: time }));

describe("line chart", (test) => {
  test("given a line that lacks two moments, adds gaps for them so that distances stay true", () => {
    assert.equal(overOneAxis([at(0, 10, 40)]), [[...at(0, 10), ...gaps(20, 30), ...at(40)]]);
  });

  test("given a line without missing moments, leaves it unchanged", () => {
    assert.equal(overOneAxis([at(0, 10, 20)]), [at(0, 10, 20)]);
  });

  test("given two lines of which only one has values at some moments, adds gaps so that both share all moments", () => {
    assert.equal(overOneAxis([at(0, 30), at(0, 10, 20, 30)]), [
      [...at(0), ...gaps(10, 20), ...at(30)],
      at(0, 10, 20, 30),
    ]);
  });

  test("given lines with at most two moments, adds no gaps between those moments", () => {
    assert.equal(overOneAxis([at(0, 500)]), [at(0, 500)]);
    assert.equal(overOneAxis([at(5_000), []]), [at(5_000), gaps(5_000)]);
  });

  test("given no moments, or moments too far apart to fill, adds no gaps", () => {
    assert.equal(overOneAxis([at(0, 1, 1e9)]), [at(0, 1, 1e9)]);
    assert.equal(overOneAxis([[], []]), [[], []]);
  });
});
