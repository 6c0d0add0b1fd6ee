import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { Cached } from "../../../../src/engine/session/evaluation/cached.ts";
import { describe } from "../../../support/describe.ts";

describe("cached value", (test) => {
  test("given requests one after another, the value is made again only if a part of what it is made from changed", () => {
    const parts = fc.tuple(fc.integer({ min: 0, max: 2 }), fc.constantFrom(null, "", "a"));
    fc.assert(
      fc.property(fc.array(parts), (requests) => {
        const cached = new Cached<string>();
        const made: string[] = [];
        const expected: string[] = [];
        for (const from of requests) {
          const text = JSON.stringify(from);
          const value = cached.of(from, () => {
            made.push(text);
            return text;
          });
          assert.is(value, text);
          if (expected.at(-1) !== text) expected.push(text);
        }
        assert.equal(made, expected);
      }),
    );
  });
});
