import * as assert from "uvu/assert";
import { failureText } from "../../../src/ui/format/failure.ts";
import { describe } from "../../support/describe.ts";

describe("failure text", (test) => {
  test("given a client that gave up, says after how long if that is known", () => {
    assert.is(failureText("client-aborted", 300), "The client gave up after 300 ms");
    assert.is(failureText("client-aborted", null), "The client gave up");
  });

  test("given another failure, tells no time", () =>
    assert.is(failureText("server-reset", 300), "The server reset the connection"));
});
