import * as assert from "uvu/assert";
import { changeShareText, percentText, timesText } from "../../../src/ui/format/percent.ts";
import { describe } from "../../support/describe.ts";

describe("percentage format", (test) => {
  test("given a percentage, shows one decimal, except at 0 and from 100 on", () => {
    assert.equal([null, 0, 0.01, 4.54, 22.22, 100].map(percentText), [
      "–",
      "0 %",
      "< 0.1 %",
      "4.5 %",
      "22.2 %",
      "100 %",
    ]);
  });

  test('given a percentage just below 100, shows "> 99.9 %" instead of 100 %', () => {
    assert.equal([99.94, 99.95, 99.999, 100, 100.2].map(percentText), [
      "99.9 %",
      "> 99.9 %",
      "> 99.9 %",
      "100 %",
      "100 %",
    ]);
  });

  test("given a change, shows a percentage below 100 % and a factor above, which only growth has", () => {
    assert.equal([-100, -31.4, 0, 31.4, 99.4, 99.5, 114, 1_000].map(changeShareText), [
      "100 %",
      "31 %",
      "0 %",
      "31 %",
      "99 %",
      null,
      null,
      null,
    ]);
    assert.equal([100, 114, 890, 900, 123_400].map(timesText), ["2.0x", "2.1x", "9.9x", "10x", "1,235x"]);
  });
});
