import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { niceCeiling } from "../../../src/ui/format/scale.ts";
import { describe } from "../../support/describe.ts";

describe("scales", (test) => {
  test("the end of an axis is the next of 1, 2, 5", () => {
    assert.equal([0, 1, 1.2, 1967, 2000, 2001, 71].map(niceCeiling), [1, 1, 2, 2000, 2000, 5000, 100]);
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1e9, noNaN: true }), (value) => {
        const end = niceCeiling(value);
        return end >= value && end <= value * 2.5 + 1e-9;
      }),
    );
  });
});
