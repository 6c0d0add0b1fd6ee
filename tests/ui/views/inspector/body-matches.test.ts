import { Text } from "@codemirror/state";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { matchesIn } from "../../../../src/ui/views/inspector/body-matches.ts";
import { describe } from "../../../support/describe.ts";

describe("what is searched in a body", (test) => {
  test("stands there whatever the case of its letters, and is counted each time", () => {
    assert.equal(matchesIn(Text.of(["Pay to PAY", "nothing", "repay"]), "pay"), [0, 7, 21]);
    assert.equal(matchesIn(Text.of(["aaaa"]), "AA"), [0, 2]);
    assert.equal(matchesIn(Text.of(["anything"]), ""), []);
  });

  test("is literal, whatever it looks like", () => {
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

  test("is found in what was added, from a place on", () => {
    assert.equal(matchesIn(Text.of(["pay pay", "pay"]), "pay", 1), [4, 8]);
  });
});
