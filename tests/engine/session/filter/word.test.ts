import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { amountOf, SIZES, termOf } from "../../../../src/engine/session/filter/word.ts";
import { describe } from "../../../support/describe.ts";

describe("a word of the filter language", (test) => {
  test("given quotes around any text without quotes, looks for that text", () =>
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        fc.pre(!text.includes('"'));
        assert.equal(termOf(`"${text}"`), { kind: "text", field: "word", text });
      }),
    ));

  test("given empty quotes, stands for nothing", () => {
    assert.is(termOf('""'), null);
  });

  test("given a key that does not exist, is refused by its name", () =>
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,12}$/), fc.stringMatching(/^[a-z]{1,5}$/), (name, value) => {
        const term = termOf(`xx${name}:${value}`);
        assert.ok(term !== null && "problem" in term && term.problem.includes(`xx${name}:`));
      }),
    ));

  test("given a key with a parenthesis in its name, is refused, because the group would end there", () => {
    const term = termOf("q.a(b):3");
    assert.ok(term !== null && "problem" in term);
  });

  test("given a size with a unit, counts in 1,024", () =>
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom("", "b", "k", "KB", "m", "MB", "g", "GB"), (figure, unit) => {
        const power = ["", "k", "m", "g"].indexOf(unit.toLowerCase().replace("b", ""));
        assert.is(amountOf(`${figure}${unit}`, SIZES), figure * 1_024 ** power);
      }),
    ));
});
