import * as assert from "uvu/assert";
import { fieldOf, headersOf, statusLineOf } from "../../../../src/ui/views/inspector/headers.ts";
import { describe } from "../../../support/describe.ts";

const HEAD =
  "HTTP/1.1 502 Bad Gateway\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nX-Empty:\r\nDate: Thu, 20 Nov 2025 12:36:24 GMT\r\n\r\n";

describe("header list of the inspector", (test) => {
  test("given headers, keeps their order, case and duplicates", () => {
    assert.equal(headersOf(HEAD), [
      { name: "Set-Cookie", value: "a=1" },
      { name: "set-cookie", value: "b=2" },
      { name: "X-Empty", value: "" },
      { name: "Date", value: "Thu, 20 Nov 2025 12:36:24 GMT" },
    ]);
  });

  test("given a header name in another case, finds it and joins all its values", () => {
    assert.is(fieldOf(headersOf(HEAD), "set-cookie"), "a=1, b=2");
    assert.is(fieldOf(headersOf(HEAD), "etag"), null);
  });

  test("given UTF-8 in a value, shows it as text, and other bytes as latin1", () => {
    const utf8 = Buffer.from("Gr\u00fc\u00dfe, \u4f60\u597d").toString("latin1");
    const head = `HTTP/1.1 200 ${utf8}\r\nX-A: ${utf8}\r\nX-B: Gr\u00fc\u00dfe\r\n\r\n`;
    assert.equal(
      headersOf(head).map(({ value }) => value),
      ["Gr\u00fc\u00dfe, \u4f60\u597d", "Gr\u00fc\u00dfe"],
    );
    assert.is(statusLineOf(head), "200 Gr\u00fc\u00dfe, \u4f60\u597d");
  });

  test("given a status line, shows it without the HTTP version", () => {
    assert.is(statusLineOf(HEAD), "502 Bad Gateway");
    assert.is(statusLineOf(null), "");
  });
});
