import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { decodeBase64 } from "../../../src/engine/interchange/base64.ts";
import { describe } from "../../support/describe.ts";

describe("base64", (test) => {
  test("given any bytes, decodes their base64 with and without padding", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = Buffer.from(bytes).toString("base64");
        assert.equal(decodeBase64(text), bytes);
        assert.equal(decodeBase64(text.replaceAll("=", "")), bytes);
      }),
    );
  });

  test("given line breaks and spaces, ignores them, but refuses other characters", () => {
    assert.equal(decodeBase64("AP\r\n8 ="), Uint8Array.of(0, 255));
    for (const text of ["A", "AP-_", "A===", "\u00e9\u00e9\u00e9\u00e9", "AP8=AP8="])
      assert.is(decodeBase64(text), null, text);
  });
});
