import * as assert from "uvu/assert";
import { menuIndexAfter } from "../../../src/ui/parts/menu-keys.ts";
import { describe } from "../../support/describe.ts";

describe("menu keys", (test) => {
  test("given arrow keys, wraps around, and Home and End go to the ends, while other keys do nothing", () => {
    assert.equal(
      [-1, 0, 2].map((at) => menuIndexAfter("ArrowDown", at, 3)),
      [0, 1, 0],
    );
    assert.equal(
      [-1, 0, 2].map((at) => menuIndexAfter("ArrowUp", at, 3)),
      [2, 2, 1],
    );
    assert.equal(
      ["Home", "End", "a"].map((key) => menuIndexAfter(key, 1, 3)),
      [0, 2, null],
    );
  });
});
