import { isUtf8 } from "node:buffer";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  bytesOfLatin1,
  decodeUtf8,
  encodeUtf8,
  holdsRawBytes,
  latin1Of,
  latin1OfText,
  textOfLatin1,
} from "../../../src/engine/quoting/utf8.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";

describe("UTF-8 text and bytes", (test) => {
  test("given any well-formed text, encodes and decodes it as Node does, with its byte order mark", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        assert.equal([...encodeUtf8(text)], [...Buffer.from(text)]);
        assert.is(decodeUtf8(Buffer.from(text)), text);
        assert.is(textOfLatin1(Buffer.from(text).toString("latin1")), text);
      }),
    );
    assert.is(decodeUtf8(Uint8Array.of(0xef, 0xbb, 0xbf)), "\ufeff");
  });

  test("given any bytes as latin1, converting them to text and back keeps every byte", () => {
    const risky = fc.constantFrom(
      ...[0x00, 0x7f, 0x80, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff],
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(risky, fc.nat(255)), { maxLength: 40 }), (bytes) => {
        const latin1 = Buffer.from(bytes).toString("latin1");
        assert.is(latin1Of(Uint8Array.from(bytes)), latin1);
        const text = textOfLatin1(latin1);
        assert.is(latin1OfText(text), latin1);
        assert.equal([...encodeUtf8(text)], bytes);
      }),
      { numRuns: rounds(1_000) },
    );
  });

  test("given bytes, marks the text as raw exactly if they are not UTF-8", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 6 }), (bytes) => {
        assert.is(decodeUtf8(bytes) === null, !isUtf8(Buffer.from(bytes)));
        assert.is(holdsRawBytes(textOfLatin1(Buffer.from(bytes).toString("latin1"))), !isUtf8(Buffer.from(bytes)));
      }),
      { numRuns: rounds(2_000) },
    );
  });

  test("given a surrogate that stands for no byte, encodes U+FFFD", () => {
    assert.equal([...encodeUtf8("\ud800")], [0xef, 0xbf, 0xbd]);
  });

  test("given latin1 text, returns one byte per character", () => {
    assert.equal([...bytesOfLatin1("a\u00ff\0")], [0x61, 0xff, 0]);
  });

  test("given code points at the bounds of each UTF-8 length, encodes as Node does and treats invalid neighbours as raw", () => {
    const points = [0, 0x7f, 0x80, 0x7ff, 0x800, 0xfff, 0x1000, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff];
    for (const point of points) {
      const text = String.fromCodePoint(point);
      const bytes = Buffer.from(text);
      assert.equal([...encodeUtf8(`${text}!`)], [...bytes, 0x21], point.toString(16));
      assert.is(textOfLatin1(bytes.toString("latin1")), text);
    }
    for (const lone of ["\ud800", "\udbff", "\udc7f", "\udd00", "\udfff"])
      assert.equal([...encodeUtf8(lone)], [0xef, 0xbf, 0xbd], lone);
    for (const bytes of ["c1bf", "e09fbf", "eda080", "edbfbf", "f08fbfbf", "f4908080", "f5808080"]) {
      const text = textOfLatin1(Buffer.from(bytes, "hex").toString("latin1"));
      assert.ok(/^[\udc80-\udcff]+$/.test(text), bytes);
      assert.is(Buffer.from(encodeUtf8(text)).toString("hex"), bytes);
    }
  });
});
