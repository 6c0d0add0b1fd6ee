import * as assert from "uvu/assert";
import { errorTypeText } from "../../../src/engine/model/error-text.ts";
import { ERROR_TYPES } from "../../../src/engine/model/exchange.ts";
import { describe } from "../../support/describe.ts";

describe("error type texts", (test) => {
  test("given all error types, each has words of its own, without a full stop", () => {
    const texts = ERROR_TYPES.map(errorTypeText);
    assert.is(new Set(texts).size, ERROR_TYPES.length);
    for (const text of texts) assert.match(text, /^[A-Z][^.]+$/);
  });
});
