import * as assert from "uvu/assert";
import { patternsOf } from "../../../../src/ui/views/settings/patterns.ts";
import { describe } from "../../../support/describe.ts";

describe("host patterns", (test) => {
  test("one on each line or parted by commas and spaces, doubles dropped", () => {
    assert.equal(patternsOf(" *.a.test\nb.test, c.test\n\n*.a.test"), ["*.a.test", "b.test", "c.test"]);
    assert.equal(patternsOf(""), []);
  });
});
