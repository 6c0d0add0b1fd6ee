import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { bytesOfLatin1, decodeUtf8, encodeUtf8, holdsRawBytes } from "../../../src/engine/quoting/utf8.ts";
import { describe } from "../../support/describe.ts";

describe("text and bytes", (test) => {
  test("well-formed text is encoded and decoded as the platform does it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const bytes = encodeUtf8(text);
        assert.equal([...bytes], [...new TextEncoder().encode(text)]);
        assert.is(decodeUtf8(bytes), text);
      }),
    );
  });

  test("any bytes survive the way through text", () => {
    const risky = fc.constantFrom(
      0x00,
      0x7f,
      0x80,
      0xbf,
      0xc0,
      0xc1,
      0xc2,
      0xdf,
      0xe0,
      0xed,
      0xef,
      0xf0,
      0xf4,
      0xf5,
      0xff,
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(risky, fc.nat(255)), { maxLength: 40 }), (bytes) => {
        assert.equal([...encodeUtf8(decodeUtf8(Uint8Array.from(bytes)))], bytes);
      }),
      { numRuns: 1_000 },
    );
  });

  test("text is marked exactly when its bytes were no UTF-8", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 6 }), (bytes) => {
        assert.is(holdsRawBytes(decodeUtf8(bytes)), !isUtf8(bytes));
      }),
      { numRuns: 2_000 },
    );
  });

  test("a surrogate that stands for no byte is no text", () => {
    assert.equal([...encodeUtf8("\ud800")], [0xef, 0xbf, 0xbd]);
  });

  test("long bodies do not overflow the stack", () => {
    assert.is(decodeUtf8(new Uint8Array(300_000).fill(0x61)).length, 300_000);
  });

  test("latin1 text is one byte a character", () => {
    assert.equal([...bytesOfLatin1("a\u00ff\0")], [0x61, 0xff, 0]);
  });

  test("the first and the last of each length are as Node has them, and what lies beside them is no UTF-8", () => {
    const points = [0, 0x7f, 0x80, 0x7ff, 0x800, 0xfff, 0x1000, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff];
    for (const point of points) {
      const text = String.fromCodePoint(point);
      const bytes = Buffer.from(text);
      assert.equal([...encodeUtf8(`${text}!`)], [...bytes, 0x21], point.toString(16));
      assert.is(decodeUtf8(bytes), text);
    }
    for (const lone of ["\ud800", "\udbff", "\udc7f", "\udd00", "\udfff"])
      assert.equal([...encodeUtf8(lone)], [0xef, 0xbf, 0xbd], lone);
    for (const bytes of ["c1bf", "e09fbf", "eda080", "edbfbf", "f08fbfbf", "f4908080", "f5808080"]) {
      const text = decodeUtf8(Buffer.from(bytes, "hex"));
      assert.ok(/^[\udc80-\udcff]+$/.test(text), bytes);
      assert.is(Buffer.from(encodeUtf8(text)).toString("hex"), bytes);
    }
  });
});

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
