import * as assert from "uvu/assert";
import { selectedTextOf, shownTextOf } from "../../../../src/ui/views/shell/export.ts";
import { describe } from "../../../support/describe.ts";

describe("what the dialog Export offers", (test) => {
  test("given a filter, the choice of all names it and counts what matches", () => {
    assert.is(shownTextOf("", null), "All shown");
    assert.is(shownTextOf("", 1_204), "All 1,204 shown");
    assert.is(shownTextOf("status:404", 3), "All 3 shown, which match status:404");
  });

  test("given fewer than two selected rows, there is no choice of selected ones", () => {
    assert.is(selectedTextOf(1), "");
    assert.is(selectedTextOf(3), "3 selected requests");
  });
});
