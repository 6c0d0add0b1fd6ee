import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Instant } from "../../../src/engine/model/units.ts";
import { bytesPhrase } from "../../../src/ui/format/bytes.ts";
import { exactClockText } from "../../../src/ui/format/clock.ts";
import { countText } from "../../../src/ui/format/count.ts";
import { axisText, durationText, elapsedText, exactDurationText } from "../../../src/ui/format/duration.ts";
import { percentText } from "../../../src/ui/format/percent.ts";
import { niceCeiling } from "../../../src/ui/format/scale.ts";
import { describe } from "../../support/describe.ts";

describe("numbers as text", (test) => {
  test("milliseconds in lists: below 10 one decimal, above none, thousands separated, never seconds", () => {
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

  test("milliseconds in the Timing tab have one decimal throughout", () => {
    assert.is(exactDurationText(1816.44), "1,816.4");
    assert.is(exactDurationText(212), "212.0");
  });

  test("the end of an axis may be in seconds", () => {
    assert.equal([500, 1000, 1500, 20_000].map(axisText), ["500 ms", "1 s", "1.5 s", "20 s"]);
  });

  test("a session's time reads as a clock", () => {
    assert.equal([0, 702_000, 3_723_000].map(elapsedText), ["0:00", "11:42", "1:02:03"]);
  });

  test("1 KB is 1024 B; bytes are whole, larger units have one decimal below 100", () => {
    const sizes = [0, 418, 1023, 1024, 18_739, 201_728, 12_792_627, 5 * 1024 ** 3];
    assert.equal(sizes.map(bytesPhrase), [
      "0 B",
      "418 B",
      "1,023 B",
      "1.0 KB",
      "18.3 KB",
      "197 KB",
      "12.2 MB",
      "5.0 GB",
    ]);
  });

  test("percent has one decimal, none at 0 and from 100 on", () => {
    assert.equal([null, 0, 0.01, 4.54, 22.22, 100].map(percentText), [
      "–",
      "0 %",
      "< 0.1 %",
      "4.5 %",
      "22.2 %",
      "100 %",
    ]);
  });

  test("nearly all is not told as all", () => {
    assert.equal([99.94, 99.95, 99.999, 100, 100.2].map(percentText), [
      "99.9 %",
      "> 99.9 %",
      "> 99.9 %",
      "100 %",
      "100 %",
    ]);
  });

  test("counts are separated by thousands", () => {
    const asElsewhere = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
    fc.assert(fc.property(fc.nat(), (count) => assert.is(countText(count), asElsewhere.format(count))));
  });

  test("a moment shows its milliseconds, padded", () => {
    assert.match(exactClockText(1_700_000_000_007.9 as Instant), /^\d\d:\d\d:\d\d\.007$/);
  });

  test("the end of an axis is the next of 1, 2, 5", () => {
    assert.equal([0, 1, 1.2, 1967, 2000, 2001, 71].map(niceCeiling), [1, 1, 2, 2000, 2000, 5000, 100]);
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1e9, noNaN: true }), (value) => {
        const end = niceCeiling(value);
        return end >= value && end <= value * 2.5 + 1e-9;
      }),
    );
  });
});
