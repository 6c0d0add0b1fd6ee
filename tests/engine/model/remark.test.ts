import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { isBlank, LONGEST_COMMENT, MARKS, NO_REMARK, remarkOf } from "../../../src/engine/model/remark.ts";
import { describe } from "../../support/describe.ts";

describe("remarks", (test) => {
  test("what is sound of a remark is kept as it is", () => {
    for (const mark of MARKS) assert.equal(remarkOf(mark, ""), { mark, comment: "" });
    assert.equal(remarkOf(null, "Grüße 😀\n"), { mark: null, comment: "Grüße 😀\n" });
  });

  test("whatever comes from outside, a remark is whole, frozen, bounded, and text that can be written", () => {
    const hostile = fc.oneof(fc.anything(), fc.string({ maxLength: 9_000, size: "max" }), fc.constant("a\ud800b"));
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...MARKS), fc.anything()), hostile, (mark, comment) => {
        const remark = remarkOf(mark, comment);
        assert.ok(Object.isFrozen(remark) && remark.comment.length <= LONGEST_COMMENT);
        assert.ok(remark.mark === null || MARKS.includes(remark.mark));
        assert.is(encodeURIComponent(remark.comment).length > 0, remark.comment !== "");
        assert.is(isBlank(remark), remark.mark === null && remark.comment === "");
      }),
    );
    assert.is(remarkOf("blue", 7), NO_REMARK);
  });
});
