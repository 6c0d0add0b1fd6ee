import * as assert from "uvu/assert";
import { SAFE_METHODS } from "../../../src/engine/model/method.ts";
import { describe } from "../../support/describe.ts";

describe("methods", (test) => {
  test("given RFC 9110, 9.2.1, four methods are safe; all others may change data", () => {
    assert.equal([...SAFE_METHODS].sort(), ["GET", "HEAD", "OPTIONS", "TRACE"]);
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "CONNECT", "QUERY", "get"])
      assert.not(SAFE_METHODS.has(method), method);
  });
});
