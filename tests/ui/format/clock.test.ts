import * as assert from "uvu/assert";
import type { Instant } from "../../../src/engine/model/units.ts";
import { certificateDateText, exactClockText, minuteText } from "../../../src/ui/format/clock.ts";
import { describe } from "../../support/describe.ts";

describe("time-of-day format", (test) => {
  test("given an instant, shows its milliseconds padded to three digits", () => {
    assert.match(exactClockText(1_700_000_000_007.9 as Instant), /^\d\d:\d\d:\d\d\.007$/);
  });

  test("given the text of a certificate's date, formats it like other dates, and keeps text that is no date", () => {
    for (const [said, at] of [
      ["Nov 24 12:47:08 2026 GMT", Date.UTC(2026, 10, 24, 12, 47)],
      ["Feb  3 00:00:00 2031 GMT", Date.UTC(2031, 1, 3)],
    ] as const)
      assert.is(certificateDateText(said), minuteText(at as Instant));
    for (const said of ["", "1", "Bad time value", "Nov 24 12:47:08 2026 GMT, and more"])
      assert.is(certificateDateText(said), said);
  });
});
