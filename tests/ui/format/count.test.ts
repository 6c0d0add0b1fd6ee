import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { countText } from "../../../src/ui/format/count.ts";
import { describe } from "../../support/describe.ts";

describe("counts in words", (test) => {
  test("counts are separated by thousands", () => {
    const asElsewhere = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
    fc.assert(fc.property(fc.nat(), (count) => assert.is(countText(count), asElsewhere.format(count))));
  });
});
