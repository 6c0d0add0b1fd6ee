import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { sessionNameProblem } from "../../../src/engine/model/session-name.ts";
import { describe } from "../../support/describe.ts";

describe("the name of a session", (test) => {
  test("given printable text of up to 200 characters, takes it", () => {
    const name = fc.string({ unit: fc.constantFrom(..."aZ9 ü漢.:/-"), minLength: 1, maxLength: 199 });
    fc.assert(fc.property(name, (text) => assert.is(sessionNameProblem(`${text}x`), null)));
  });

  test("given nothing, too much, control characters or a word of --session, says why not", () => {
    const hostile = fc.constantFrom("\n", "\u0000", "\u001b", "\u007f", "\u0085", "\u2028", "\u202e", "\u200f");
    fc.assert(
      fc.property(fc.string(), hostile, fc.string(), (before, character, after) => {
        assert.type(sessionNameProblem(`${before}${character}${after}`), "string");
      }),
    );
    assert.match(String(sessionNameProblem("  ")), "must not be empty");
    assert.match(String(sessionNameProblem("x".repeat(201))), "at most 200 characters, this one 201");
    for (const word of ["current", "last", "newest", "20261120T120000123-1a2b3c"])
      assert.match(String(sessionNameProblem(word)), "already means another session");
  });
});
