import * as assert from "uvu/assert";
import { withGaps } from "../../../src/ui/parts/time-gaps.ts";
import { describe } from "../../support/describe.ts";

const at = (...times: number[]) => times.map((time) => ({ at: time, value: 1 }));

describe("gaps in time", (test) => {
  test("a missing moment becomes a gap, so that distances stay true", () => {
    assert.equal(withGaps(at(0, 10, 40)), [...at(0, 10), { at: 20 }, { at: 30 }, ...at(40)]);
  });

  test("moments without a hole stay as they are", () => {
    const points = at(0, 10, 20);
    assert.equal(withGaps(points), points);
  });

  test("too few points to know a step, and far too many gaps, change nothing", () => {
    assert.equal(withGaps(at(0, 500)), at(0, 500));
    assert.equal(withGaps(at(0, 1, 1e9)), at(0, 1, 1e9));
    assert.equal(withGaps([]), []);
  });
});
