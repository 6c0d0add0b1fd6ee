import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { countText } from "../../../src/ui/format/count.ts";
import { describe } from "../../support/describe.ts";

describe("count format", (test) => {
  test("given a count, separates thousands and writes a minus sign before a negative number", () => {
    const asElsewhere = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
    const plain = (count: number) => asElsewhere.format(count).replace("-", "\u2212");
    fc.assert(fc.property(fc.integer(), (count) => assert.is(countText(count), plain(count))));
  });
});
