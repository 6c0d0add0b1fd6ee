import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { decodeBase64, encodeBase64 } from "../../../src/engine/interchange/base64.ts";
import { describe } from "../../support/describe.ts";

describe("base64", (test) => {
  test("bytes are written and read as the platform does it", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        assert.is(encodeBase64(bytes), Buffer.from(bytes).toString("base64"));
        assert.equal(decodeBase64(encodeBase64(bytes)), bytes);
        assert.equal(decodeBase64(encodeBase64(bytes).replaceAll("=", "")), bytes);
      }),
    );
    const large = new Uint8Array(100_001).fill(7);
    assert.is(encodeBase64(large), Buffer.from(large).toString("base64"));
  });

  test("line breaks are forgiven, other characters are not", () => {
    assert.equal(decodeBase64("AP\r\n8 ="), Uint8Array.of(0, 255));
    for (const text of ["A", "AP-_", "A===", "\u00e9\u00e9\u00e9\u00e9", "AP8=AP8="])
      assert.is(decodeBase64(text), null, text);
  });
});
