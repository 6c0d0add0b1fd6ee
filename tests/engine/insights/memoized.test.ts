import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { memoized } from "../../../src/engine/insights/memoized.ts";
import { describe } from "../../support/describe.ts";

describe("memoized functions", (test) => {
  test("given texts that recur, has the function's results, and calls it once for each of the first texts", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom("a", "b", "c", "d"), fc.string({ minLength: 129, maxLength: 140 }))),
        fc.integer({ min: 0, max: 3 }),
        (texts, most) => {
          const calls: string[] = [];
          const lengthOf = memoized((text) => calls.push(text) && text.length % 2 === 0, most);
          for (const text of texts) assert.is(lengthOf(text), text.length % 2 === 0);
          const short = [...new Set(texts.filter((text) => text.length <= 128))];
          for (const text of short.slice(0, most)) assert.is(calls.filter((one) => one === text).length, 1);
        },
      ),
    );
  });
});
