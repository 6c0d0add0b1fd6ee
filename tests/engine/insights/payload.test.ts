import * as assert from "uvu/assert";
import { compressionOf, isShrinkable } from "../../../src/engine/insights/payload.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";

describe("payload sizes", (test) => {
  test('compression reads "76 % smaller (4.2x)"', () => {
    const found = compressionOf(exchange({ contentEncoding: "gzip", encodedBodySize: 24, decodedBodySize: 100 }));
    assert.is(found?.smaller, 76);
    assert.is(found?.ratio.toFixed(1), "4.2");
  });

  test("it is present only with a Content-Encoding other than identity and a body that decoded", () => {
    const sizes = { encodedBodySize: 24, decodedBodySize: 100 };
    assert.is(compressionOf(exchange(sizes)), null);
    assert.is(compressionOf(exchange({ ...sizes, contentEncoding: "identity" })), null);
    assert.is(compressionOf(exchange({ ...sizes, contentEncoding: "br", decodedBodySize: null })), null);
    assert.is(compressionOf(exchange({ contentEncoding: "br", encodedBodySize: 0, decodedBodySize: 0 })), null);
  });

  test("a coding that made the body larger says so", () => {
    assert.equal(compressionOf(exchange({ contentEncoding: "gzip", encodedBodySize: 200, decodedBodySize: 100 })), {
      smaller: -100,
      ratio: 0.5,
    });
  });

  test("uncompressed text over 1 KB is worth asking what a coding would save", () => {
    const ask = (contentType: string | null, encodedBodySize = 1_025, contentEncoding: string | null = null) =>
      isShrinkable(exchange({ contentType, encodedBodySize, contentEncoding }));
    for (const type of [
      "text/html",
      "application/json",
      "application/problem+json",
      "image/svg+xml",
      "application/javascript",
    ])
      assert.ok(ask(type), type);
    for (const type of ["image/png", "application/octet-stream", "application/zip", null])
      assert.not(ask(type), String(type));
    assert.not(ask("text/html", 1_024));
    assert.not(ask("text/html", 1_025, "gzip"));
    assert.ok(ask("text/html", 1_025, "identity"));
  });
});
