import { Text } from "@codemirror/state";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { matchesIn } from "../../../../src/ui/views/inspector/body-matches.ts";
import { describe } from "../../../support/describe.ts";

describe("search in a body", (test) => {
  test("given a search text, finds and counts every match in any letter case", () => {
    assert.equal(matchesIn(Text.of(["Pay to PAY", "nothing", "repay"]), "pay"), [0, 7, 21]);
    assert.equal(matchesIn(Text.of(["aaaa"]), "AA"), [0, 2]);
    assert.equal(matchesIn(Text.of(["anything"]), ""), []);
  });

  test("given any search text, takes it literally", () => {
    const sign = fc.constantFrom(...'aB.*+?()[]{}|\\/^$-" <ßİ');
    fc.assert(
      fc.property(fc.array(sign, { minLength: 1, maxLength: 4 }), fc.array(sign), (needle, around) => {
        const [wanted, other] = [needle.join(""), around.join("")];
        const starts = matchesIn(Text.of([`${other}${wanted}`]), wanted);
        assert.ok(starts.length > 0);
        const text = other + wanted;
        for (const start of starts)
          assert.is(text.slice(start, start + wanted.length).toUpperCase(), wanted.toUpperCase());
      }),
    );
  });

  test("given a start offset, finds matches from there on", () => {
    assert.equal(matchesIn(Text.of(["pay pay", "pay"]), "pay", 1), [4, 8]);
  });
});
