import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { niceCeiling } from "../../../src/ui/format/scale.ts";
import { describe } from "../../support/describe.ts";

describe("chart scales", (test) => {
  test("given a value, rounds the end of its axis up to the next 1, 2 or 5 times a power of ten", () => {
    assert.equal([0, 1, 1.2, 1967, 2000, 2001, 71].map(niceCeiling), [1, 1, 2, 2000, 2000, 5000, 100]);
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1e9, noNaN: true }), (value) => {
        const end = niceCeiling(value);
        return end >= value && end <= value * 2.5 + 1e-9;
      }),
    );
  });
});
