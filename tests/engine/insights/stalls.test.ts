import * as assert from "uvu/assert";
import { gapsOf, stallOf } from "../../../src/engine/insights/stalls.ts";
import { describe } from "../../support/describe.ts";

describe("stall detection", (test) => {
  test("given steady gaps, a stall is 5 times the median, of random ones 15 times, and 500 ms at least", () => {
    assert.is(stallOf([200, 210, 190, 200, 200, 200]), 1_000);
    assert.is(stallOf([50, 100, 200, 400, 800]), 3_000);
    assert.is(stallOf([10, 10, 10, 10, 10]), 500);
  });

  test("given fewer than five gaps, nothing is a stall", () => {
    assert.is(stallOf([10, 10, 10, 9_000]), Number.POSITIVE_INFINITY);
    assert.equal(gapsOf([1, 4, 9]), [3, 5]);
    assert.equal(gapsOf([]), []);
  });
});
