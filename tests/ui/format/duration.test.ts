import * as assert from "uvu/assert";
import { axisText, durationText, elapsedText, exactDurationText } from "../../../src/ui/format/duration.ts";
import { describe } from "../../support/describe.ts";

describe("duration format", (test) => {
  test("given milliseconds for a list, shows one decimal below 10, whole numbers above, and never seconds", () => {
    const cases: readonly (readonly [number | null, string])[] = [
      [null, "–"],
      [0, "0.0"],
      [4.12, "4.1"],
      [9.94, "9.9"],
      [9.96, "10"],
      [86.5, "87"],
      [1086.4, "1,086"],
      [60_000, "60,000"],
    ];
    for (const [length, text] of cases) assert.is(durationText(length), text);
  });

  test("given milliseconds for the Timing tab, always shows one decimal", () => {
    assert.is(exactDurationText(1816.44), "1,816.4");
    assert.is(exactDurationText(212), "212.0");
  });

  test("given the end of an axis, switches to seconds from 1,000 ms on", () => {
    assert.equal([500, 1000, 1500, 20_000].map(axisText), ["500 ms", "1 s", "1.5 s", "20 s"]);
  });

  test("given the time elapsed in a session, formats it as minutes and seconds, with hours where needed", () => {
    assert.equal([0, 702_000, 3_723_000].map(elapsedText), ["0:00", "11:42", "1:02:03"]);
  });
});
