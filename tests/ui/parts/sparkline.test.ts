import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { barsPath, endPath, linePath, SPARK_HEIGHT, SPARK_WIDTH } from "../../../src/ui/parts/sparkline.ts";
import { describe } from "../../support/describe.ts";

describe("sparklines", (test) => {
  test("given amounts, draws the highest bar as tall as the box and the newest bar at its right edge", () => {
    assert.is(barsPath([1, 4]), "M120 26v-6.5h5v6.5zM126 26v-26h5v26z");
  });

  test("given no values or only zeros, draws nothing", () => {
    assert.is(barsPath([]), "");
    assert.is(barsPath([0, 0, 0]), "");
    assert.is(linePath([null, null]), "");
    assert.is(endPath([null]), "");
  });

  test("given a missing value, breaks the line there, and marks the newest value that is present", () => {
    assert.is(linePath([2, 1, null, 2]), "M3 3L45 13M129 3");
    assert.is(endPath([2, 1, null, null]), "M45 13h0");
  });

  test("given any values, keeps bars and lines within their box", () => {
    const values = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e12, noNaN: true })), { maxLength: 80 });
    fc.assert(
      fc.property(values, (amounts) => {
        for (const [, x, height] of barsPath(amounts).matchAll(/M([\d.-]+) 26v-([\d.]+)/g)) {
          assert.ok(Number(x) >= 0 && Number(x) < SPARK_WIDTH);
          assert.ok(Number(height) <= SPARK_HEIGHT);
        }
        for (const [, x, y] of linePath(amounts).matchAll(/[ML]([\d.-]+) ([\d.-]+)/g)) {
          assert.ok(Number(x) >= 0 && Number(x) <= SPARK_WIDTH);
          assert.ok(Number(y) >= 0 && Number(y) <= SPARK_HEIGHT);
        }
      }),
    );
  });
});
