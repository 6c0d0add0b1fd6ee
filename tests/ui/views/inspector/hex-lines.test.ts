import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { HEX_LINE, hexLinesOf, hexOffset } from "../../../../src/ui/views/inspector/hex-lines.ts";
import { describe } from "../../../support/describe.ts";

describe("hex view of a body", (test) => {
  test("given bytes, shows 16 per line with their letters, and numbers each line by its first offset", () => {
    const lines = hexLinesOf(new TextEncoder().encode("GET / HTTP/1.1\r\nHost"));
    assert.equal(lines, [
      "47 45 54 20 2f 20 48 54  54 50 2f 31 2e 31 0d 0a  GET / HTTP/1.1··",
      `48 6f 73 74${" ".repeat(39)}Host`,
    ]);
    assert.equal([1, 2, 70_000].map(hexOffset), ["000000", "000010", "1116f0"]);
  });

  test("given any bytes, shows each byte once and in order", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const lines = hexLinesOf(bytes);
        assert.is(lines.length, Math.ceil(bytes.length / HEX_LINE));
        const pairs = lines.flatMap((line) => line.slice(0, 48).trim().split(/ +/));
        assert.equal(
          pairs.filter((pair) => pair !== "").map((pair) => Number.parseInt(pair, 16)),
          [...bytes],
        );
        const letters = lines.map((line) => line.slice(50)).join("");
        assert.is(
          letters,
          Array.from(bytes, (byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·")).join(""),
        );
      }),
    );
  });
});
