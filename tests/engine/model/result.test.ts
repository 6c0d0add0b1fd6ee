import fc from "fast-check";
import * as assert from "uvu/assert";
import { failure, success, unwrap } from "../../../src/engine/model/result.ts";
import { describe } from "../../support/describe.ts";

describe("success and failure results", (test) => {
  test("given a success, unwraps its value, whatever it is", () =>
    fc.assert(fc.property(fc.anything(), (value) => assert.ok(Object.is(unwrap(success(value)), value)))));

  test("given a failure, throws its problem", () =>
    fc.assert(
      fc.property(fc.string(), (problem) =>
        assert.throws(
          () => unwrap(failure(problem)),
          (error: Error) => error.message === problem,
        ),
      ),
    ));
});
