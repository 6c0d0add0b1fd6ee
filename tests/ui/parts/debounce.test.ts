import { mock } from "node:test";
import * as assert from "uvu/assert";
import { debounce } from "../../../src/ui/parts/debounce.ts";
import { describe } from "../../support/describe.ts";

describe("debounce", (test) => {
  test("given repeated calls, runs once 1 s after the last one, and never after a cancel", () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      let said = 0;
      const settling = debounce(() => {
        said += 1;
      });
      for (let step = 0; step < 5; step += 1) {
        settling.call();
        mock.timers.tick(900);
      }
      assert.is(said, 0);
      mock.timers.tick(100);
      assert.is(said, 1);
      mock.timers.tick(10_000);
      assert.is(said, 1);
      settling.call();
      settling.cancel();
      mock.timers.tick(10_000);
      assert.is(said, 1);
    } finally {
      mock.timers.reset();
    }
  });
});
