import * as assert from "uvu/assert";
import { absenceOf } from "../../../../src/ui/views/performance/absence.ts";
import { describe } from "../../../support/describe.ts";

describe("empty state of the endpoint panel", (test) => {
  test("given an endpoint's figures, explains a refusal or a missing row, and is empty while loading or loaded", () => {
    assert.is(absenceOf(undefined, "Too much is asked."), "Too much is asked.");
    assert.match(absenceOf(null), /^This session has fewer than 5 requests/);
    assert.equal([absenceOf(undefined), absenceOf({})], ["", ""]);
  });
});
