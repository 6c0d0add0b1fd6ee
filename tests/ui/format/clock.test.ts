import * as assert from "uvu/assert";
import type { Instant } from "../../../src/engine/model/units.ts";
import { exactClockText } from "../../../src/ui/format/clock.ts";
import { describe } from "../../support/describe.ts";

describe("moments in words", (test) => {
  test("a moment shows its milliseconds, padded", () => {
    assert.match(exactClockText(1_700_000_000_007.9 as Instant), /^\d\d:\d\d:\d\d\.007$/);
  });
});
