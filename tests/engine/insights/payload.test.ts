import * as assert from "uvu/assert";
import { isShrinkable } from "../../../src/engine/insights/payload.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";

describe("payload sizes", (test) => {
  test("given a response, compression is worth estimating only for uncompressed text over 1 KB", () => {
    const ask = (contentType: string | null, encodedBodySize = 1_025, contentEncoding: string | null = null) =>
      isShrinkable(exchange({ contentType, encodedBodySize, contentEncoding }));
    for (const type of [
      "text/html",
      "application/json",
      "application/problem+json",
      "image/svg+xml",
      "application/javascript",
      "application/ecmascript",
      "application/x-javascript",
      "application/x-www-form-urlencoded",
      "application/x-ndjson",
      "text/xml",
    ])
      assert.ok(ask(type), type);
    const others = ["image/png", "application/octet-stream", "application/zip", "application/json-seq", "x-text/plain"];
    const alike = ["application/javascript-code", "x-application/javascript"];
    for (const type of [...others, ...alike, null]) assert.not(ask(type), String(type));
    assert.not(ask("text/html", 1_024));
    assert.not(ask("text/html", 1_025, "gzip"));
    assert.ok(ask("text/html", 1_025, "identity"));
  });
});
