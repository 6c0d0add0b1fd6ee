import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { SentText } from "../../../../src/engine/insights/facts/sent-text.ts";
import { describe } from "../../../support/describe.ts";

describe("text of a sent body", (test) => {
  test("given any JSON, parses it once", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const sent = new SentText(text);
        assert.equal(sent.json, JSON.parse(text));
        assert.is(sent.json, sent.json);
      }),
    );
  });

  test("given another text, or a JSON text that was cut, gives null", () => {
    for (const text of ["", "a=b", '{"a": [1, 2', "<a/>"]) assert.is(new SentText(text).json, null);
  });
});
