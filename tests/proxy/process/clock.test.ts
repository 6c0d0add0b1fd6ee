import * as assert from "uvu/assert";
import { CLOCK } from "../../../extensions/proxy/process/clock.ts";
import { describe } from "../../support/describe.ts";

describe("process clock", (test) => {
  test("given a wall clock that is set back, the clock does not go back (docs/security.md R9)", () => {
    const wall = Date.now;
    assert.ok(Math.abs(CLOCK.now() - wall()) < 60_000);
    const before = CLOCK.now();
    Date.now = () => wall() - 3_600_000;
    try {
      let last = before;
      for (let look = 0; look < 1_000; look += 1) {
        const now = CLOCK.now();
        assert.ok(now >= last && now - before < 60_000, `${now - last}`);
        last = now;
      }
    } finally {
      Date.now = wall;
    }
  });
});
