import * as assert from "uvu/assert";
import { readThreshold } from "../../../../src/ui/views/settings/threshold.ts";
import { describe } from "../../../support/describe.ts";

describe("the fixed threshold's field", (test) => {
  test("whole milliseconds from 1 to 600,000, or empty for off", () => {
    assert.equal(readThreshold(" 1500 "), { ok: true, value: 1500 });
    assert.equal(readThreshold("1"), { ok: true, value: 1 });
    assert.equal(readThreshold("600000"), { ok: true, value: 600_000 });
    assert.equal(readThreshold("  "), { ok: true, value: null });
  });

  test("anything else is refused with a message", () => {
    for (const text of ["0", "-5", "600001", "1.5", "1e3", "fast", "12 ms", "0x10"]) {
      assert.is(readThreshold(text).ok, false, text);
    }
  });
});
