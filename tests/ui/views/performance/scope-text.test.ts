import * as assert from "uvu/assert";
import { scopeText } from "../../../../src/ui/views/performance/scope-text.ts";
import { describe } from "../../../support/describe.ts";

describe("the scope of a list of endpoints", (test) => {
  test("is told under a filter alone", () => {
    assert.equal(
      [scopeText(""), scopeText("client:curl")],
      ["", "Only endpoints with a matching exchange; their figures cover the whole session"],
    );
  });
});
