import * as assert from "uvu/assert";
import { percentText } from "../../../src/ui/format/percent.ts";
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
});
