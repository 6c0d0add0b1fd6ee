import * as assert from "uvu/assert";
import { overOneAxis } from "../../../src/ui/parts/line-chart.ts";
import { describe } from "../../support/describe.ts";

const at = (...times: number[]) => times.map((time) => ({ at: time, value: 1 }));
const gaps = (...times: number[]) => times.map((time) => ({ at: time }));

describe("lines over one axis of time", (test) => {
  test("a missing moment becomes a gap, so that distances stay true", () => {
    assert.equal(overOneAxis([at(0, 10, 40)]), [[...at(0, 10), ...gaps(20, 30), ...at(40)]]);
  });

  test("moments without a hole stay as they are", () => {
    assert.equal(overOneAxis([at(0, 10, 20)]), [at(0, 10, 20)]);
  });

  test("where only one line has a value, the other has a gap: both count the same moments", () => {
    assert.equal(overOneAxis([at(0, 30), at(0, 10, 20, 30)]), [
      [...at(0), ...gaps(10, 20), ...at(30)],
      at(0, 10, 20, 30),
    ]);
  });

  test("two moments and a single one need no gap", () => {
    assert.equal(overOneAxis([at(0, 500)]), [at(0, 500)]);
    assert.equal(overOneAxis([at(5_000), []]), [at(5_000), gaps(5_000)]);
  });

  test("nothing, and far too many gaps, are left as they are", () => {
    assert.equal(overOneAxis([at(0, 1, 1e9)]), [at(0, 1, 1e9)]);
    assert.equal(overOneAxis([[], []]), [[], []]);
  });
});
