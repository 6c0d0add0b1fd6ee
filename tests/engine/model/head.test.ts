import * as assert from "uvu/assert";
import { fieldsOf, headerOf, reasonOf, statusIn, valuesOf } from "../../../src/engine/model/head.ts";
import { describe } from "../../support/describe.ts";

const HEAD = "GET /Host: HTTP/1.1\r\nhost:a.test\r\nX-A: 1 \r\nUser-Agent:\t curl/8 \r\nx-a: 2\r\nEmpty:\r\n\r\n";

describe("head", (test) => {
  test("a header is found by its name in any case, without the spaces around its value", () => {
    assert.is(headerOf(HEAD, "host"), "a.test");
    assert.is(headerOf(HEAD, "user-agent"), "curl/8");
    assert.is(headerOf(HEAD, "empty"), "");
  });

  test("the first of several counts, and one that is not there is null", () => {
    assert.is(headerOf(HEAD, "x-a"), "1");
    assert.is(headerOf(HEAD, "agent"), null);
    assert.is(headerOf("GET / HTTP/1.1", "host"), null);
    assert.is(headerOf("", "host"), null);
  });

  test("all are kept in order", () => {
    assert.equal(valuesOf(HEAD, "x-a"), ["1", "2"]);
    assert.equal(
      fieldsOf(HEAD).map(({ name }) => name),
      ["host", "X-A", "User-Agent", "x-a", "Empty"],
    );
  });

  test("a response's first line says its status and its reason", () => {
    assert.is(reasonOf("HTTP/1.1 404 Not Here\r\n\r\n"), "Not Here");
    assert.equal(["HTTP/1.1 404 Not Here\r\n\r\n", "HTTP/2 200\r\n\r\n", HEAD, ""].map(statusIn), [
      404,
      200,
      null,
      null,
    ]);
  });
});
