import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { annotationOf, isBlank, LONGEST_COMMENT, MARKS, NO_ANNOTATION } from "../../../src/engine/model/annotation.ts";
import { describe } from "../../support/describe.ts";

describe("annotations", (test) => {
  test("given a valid mark and comment, keeps both unchanged", () => {
    for (const mark of MARKS) assert.equal(annotationOf(mark, ""), { mark, comment: "" });
    assert.equal(annotationOf(null, "Grüße 😀\n"), { mark: null, comment: "Grüße 😀\n" });
  });

  test("given any mark and comment, the annotation is complete, frozen, bounded and well-formed", () => {
    const hostile = fc.oneof(fc.anything(), fc.string({ maxLength: 9_000, size: "max" }), fc.constant("a\ud800b"));
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...MARKS), fc.anything()), hostile, (mark, comment) => {
        const annotation = annotationOf(mark, comment);
        assert.ok(Object.isFrozen(annotation) && annotation.comment.length <= LONGEST_COMMENT);
        assert.ok(annotation.mark === null || MARKS.includes(annotation.mark));
        assert.is(encodeURIComponent(annotation.comment).length > 0, annotation.comment !== "");
        assert.is(isBlank(annotation), annotation.mark === null && annotation.comment === "");
      }),
    );
    assert.is(annotationOf("blue", 7), NO_ANNOTATION);
  });
});
