import * as assert from "uvu/assert";
import { changeShareText, percentText, timesText } from "../../../src/ui/format/percent.ts";
import { describe } from "../../support/describe.ts";

describe("percent in words", (test) => {
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

  test("a change is a share below 100 % and a factor from there on, and only growth has one", () => {
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
