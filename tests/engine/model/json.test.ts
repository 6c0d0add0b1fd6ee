import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { isRecord, jsonOf } from "../../../src/engine/model/json.ts";
import { describe } from "../../support/describe.ts";

describe("JSON", (test) => {
  test("given any value, reads it back, and says whether it is an object with members", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const read = jsonOf(JSON.stringify(value));
        assert.equal(read, JSON.parse(JSON.stringify(value)));
        assert.is(isRecord(read), Object.prototype.toString.call(value) === "[object Object]");
      }),
    );
  });

  test("given another text, has null", () => {
    for (const text of ["", "{", "undefined", "{'a':1}"]) assert.is(jsonOf(text), null);
  });
});
