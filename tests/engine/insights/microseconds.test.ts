import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { microsecondsOf, millisecondsOf } from "../../../src/engine/insights/microseconds.ts";
import { describe } from "../../support/describe.ts";

describe("microseconds", (test) => {
  test("given any instant, they are whole, and at most half a microsecond off", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 4e12, noNaN: true }), (instant) => {
        const time = microsecondsOf(instant);
        assert.ok(Number.isSafeInteger(time));
        assert.ok(Math.abs(millisecondsOf(time) - instant) <= 0.001);
      }),
    );
  });
});
