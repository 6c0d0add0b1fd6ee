import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { LimitedTexts, TOO_MANY } from "../../../../src/engine/session/table/interned.ts";
import { describe } from "../../../support/describe.ts";

describe("interned texts with a limit", (test) => {
  test("given many different texts, keeps no more characters than the limit, and those that it keeps right", () =>
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { maxLength: 200 }), fc.nat(300), (texts, most) => {
        const limited = new LimitedTexts(most);
        const numbers = texts.map((text) => limited.numberOf(text));
        let held = 0;
        for (let number = 1; number < limited.size; number += 1) {
          const text = limited.textAt(number) ?? "";
          if (text !== TOO_MANY) held += text.length;
        }
        assert.ok(held <= most);
        for (const [index, text] of texts.entries()) {
          const kept = limited.textAt(numbers[index] ?? 0);
          assert.ok(kept === text || kept === TOO_MANY);
        }
      }),
    ));
});
