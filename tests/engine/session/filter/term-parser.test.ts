import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { amountOf, SIZES, termOf, tokensOf } from "../../../../src/engine/session/filter/term-parser.ts";
import { describe } from "../../../support/describe.ts";

describe("filter word", (test) => {
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

const PIECES = {
  word: fc.constantFrom("a", "host:api", '"a OR (b"', "path:/users(1)", 'a"b c"', "-x", "or", "ORDER", "a.*(b"),
  or: fc.constant("OR"),
  and: fc.constant("AND"),
  open: fc.constantFrom("(", "-(", "not:(", "NOT:("),
  close: fc.constant(")"),
} as const;

describe("filter pieces", (test) => {
  test("given pieces between spaces, reads each as it was written, with its place", () => {
    const piece = fc
      .constantFrom(...(Object.keys(PIECES) as (keyof typeof PIECES)[]))
      .chain((kind) => PIECES[kind].map((text) => ({ kind, text })));
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, fc.constantFrom(" ", "  ", "\t"))), (pieces) => {
        let text = "";
        const expected = pieces.map(([{ kind, text: written }, blank]) => {
          const at = text.length;
          text += written + blank;
          return { kind, text: written, at };
        });
        assert.equal(tokensOf(text), expected);
      }),
    );
  });

  test("given a parenthesis that no part of the word opened, ends the word there", () => {
    const texts = (written: string) => tokensOf(written).map(({ text }) => text);
    assert.equal(texts("(host:a)b"), ["(", "host:a", ")", "b"]);
    assert.equal(texts("(path:/a(1)) c"), ["(", "path:/a(1)", ")", "c"]);
    assert.equal(texts('a")"b)'), ['a")"b', ")"]);
  });

  test("given any text, loses nothing but blanks", () =>
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("(", ")", '"', " ", "-", "O", "R", "a") }), (text) => {
        let end = 0;
        for (const { text: written, at } of tokensOf(text)) {
          assert.is(text.slice(end, at).trim(), "");
          assert.is(text.slice(at, at + written.length), written);
          end = at + written.length;
        }
        assert.is(text.slice(end).trim(), "");
      }),
    ));
});
