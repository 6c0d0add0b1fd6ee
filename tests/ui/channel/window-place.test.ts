import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { isOutOfReach, type Rectangle } from "../../../src/ui/channel/window-place.ts";
import { describe } from "../../support/describe.ts";

const SIZE = { width: 1280, height: 800 };
const screens = fc.record({
  left: fc.integer({ min: -4_000, max: 4_000 }),
  top: fc.integer({ min: -2_000, max: 2_000 }),
  width: fc.integer({ min: 800, max: 4_000 }),
  height: fc.integer({ min: 600, max: 2_000 }),
});
const at = (screen: Rectangle, right: number, down: number): Rectangle => ({
  ...SIZE,
  left: screen.left + right,
  top: screen.top + down,
});

describe("on-screen check of the native window", (test) => {
  test("given a window whose upper edge is on its screen, even one larger than the screen, is not out of reach", () => {
    fc.assert(
      fc.property(screens, fc.integer({ min: -SIZE.width + 100, max: 700 }), fc.nat(580), (screen, right, down) => {
        assert.not(isOutOfReach(at(screen, right, down), screen));
      }),
    );
  });

  test("given a window beside, above or below its whole screen, is out of reach", () => {
    fc.assert(
      fc.property(screens, fc.nat(5_000), (screen, far) => {
        for (const window of [
          at(screen, screen.width + far, 0),
          at(screen, -SIZE.width - far, 0),
          at(screen, 0, screen.height + far),
          at(screen, 0, -SIZE.height - far),
        ])
          assert.ok(isOutOfReach(window, screen));
      }),
    );
  });
});
