import { constants } from "node:os";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { windowEnd } from "../../../scripts/window-end.ts";
import { describe } from "../../support/describe.ts";

const TOLD = ["SIGHUP", "SIGINT", "SIGTERM"] as const;

describe("exit code after the native window ends", (test) => {
  test("given a window that was closed or told to end, the exit code is 0", () => {
    for (const isShown of [true, false]) {
      assert.equal(windowEnd(0, isShown, "linux"), { code: 0, said: null });
      for (const signal of TOLD)
        assert.equal(windowEnd(128 + constants.signals[signal], isShown, "linux"), { code: 0, said: null });
    }
    assert.is(windowEnd(137, true, "win32")?.code, 0, "as app.killProcess ends it");
  });

  test("given a window that crashed or was killed, the exit code is 1, and the sentence names the signal", () => {
    for (const signal of ["SIGKILL", "SIGSEGV", "SIGABRT"] as const) {
      const end = windowEnd(128 + constants.signals[signal], true, "linux");
      assert.is(end?.code, 1);
      assert.match(end?.said ?? "", `(${signal})`);
    }
  });

  test("given any other code, a window that was not shown is replaced by the browser", () => {
    const codes = fc.integer({ min: 1, max: 255 }).filter((code) => ![129, 130, 143].includes(code));
    fc.assert(
      fc.property(codes, (code) => {
        assert.is(windowEnd(code, false, "linux"), null);
        assert.is(windowEnd(code, true, "linux")?.code, 1);
      }),
    );
  });
});
