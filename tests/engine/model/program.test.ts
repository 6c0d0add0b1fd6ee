import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { programNamed } from "../../../src/engine/model/program.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";

describe("a program's name", (test) => {
  test("is shown as it is, without what could disturb", () => {
    const table: Record<string, string | null> = {
      curl: "curl",
      " Google Chrome ": "Google Chrome",
      "Größe 日本": "Größe 日本",
      "a\u0007b\u001b[31m\u202ec\n": "ab[31mc",
      "\u2028\u0000": null,
      "": null,
      [`${"x".repeat(63)}😀`]: "x".repeat(63),
    };
    for (const [given, shown] of Object.entries(table)) assert.is(programNamed(given), shown, JSON.stringify(given));
  });

  test("is never long, never blank, and named again it is the same", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const name = programNamed(text);
        if (name === null) return;
        assert.ok(name.length > 0 && name.length <= 64);
        assert.not.match(name, /\p{C}/u);
        assert.is(programNamed(name), name);
      }),
      { numRuns: rounds(500) },
    );
  });
});
