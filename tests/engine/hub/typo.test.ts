import * as assert from "uvu/assert";
import { closestWord } from "../../../src/engine/hub/typo.ts";
import { describe } from "../../support/describe.ts";

const KNOWN = ["android", "python", "pythons", "ruby"];

describe("a slip of the keyboard", (test) => {
  for (const [what, typed, meant] of [
    ["two letters swapped", "andriod", "android"],
    ["one missing", "pyton", "python"],
    ["one too many", "rubby", "ruby"],
    ["another one", "pythom", "python"],
    ["the last one missing", "pytho", "python"],
    ["a whole word before one that only begins so", "pythns", "pythons"],
    ["a word that is still being typed", "andoi", "android"],
    ["another first letter", "tuby", null],
    ["two slips", "adnriod1", null],
    ["a word too short to tell", "rub", null],
    ["another word", "banana", null],
    ["nothing", "", null],
  ] as const) {
    test(`${what}: "${typed}"`, () => assert.is(closestWord(typed, KNOWN), meant));
  }
});
