import * as assert from "uvu/assert";
import { codingOf } from "../../extensions/proxy/stored-body.ts";
import { describe } from "../support/describe.ts";
import { exchange } from "../support/exchange.ts";

describe("stored bodies", (test) => {
  test("the body of an imported exchange is stored decoded, whatever its head says", () => {
    const head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n";
    assert.is(codingOf(exchange({}), head), "gzip");
    assert.is(codingOf(exchange({ tags: ["imported"] }), head), null);
  });
});
