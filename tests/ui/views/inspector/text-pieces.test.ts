import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { decodedSteps, linesOf, TextPieces } from "../../../../src/ui/views/inspector/text-pieces.ts";
import { describe } from "../../../support/describe.ts";

describe("decoding of text in pieces", (test) => {
  test("given text cut at any byte, splits no character and no line break", () => {
    const sign = fc.constantFrom("a", "é", "€", "😀", "\r", "\n", "\r\n", "\u0000");
    const cuts = fc.array(fc.nat(60), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(sign), cuts, (signs, places) => {
        const text = signs.join("");
        const bytes = new TextEncoder().encode(text);
        const ends = [...places.filter((position) => position < bytes.length), bytes.length].toSorted((a, b) => a - b);
        const pieces = new TextPieces(new TextDecoder());
        const lines = [""];
        for (const [index, end] of ends.entries()) {
          const isLast = index === ends.length - 1;
          const [first = "", ...rest] = linesOf(pieces.next(bytes.subarray(ends[index - 1] ?? 0, end), isLast));
          lines.push(`${lines.pop()}${first}`, ...rest);
        }
        assert.equal(lines, linesOf(text));
      }),
    );
  });

  test("given a long text, decodes it in steps without splitting a character", () => {
    const text = "a€".repeat(300_000);
    const steps = decodedSteps(new TextEncoder().encode(text), new TextDecoder());
    let count = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) count += 1;
    assert.ok(step.value === text);
    assert.is(count, Math.ceil((4 * 300_000) / (512 * 1024)));
  });

  test("given UTF-16 text cut at any byte, splits no character", () => {
    const pieces = new TextPieces(new TextDecoder("utf-16le"));
    const bytes = Uint8Array.of(0x61, 0x00, 0x3d, 0xd8, 0x00, 0xde);
    assert.is(pieces.next(bytes.subarray(0, 3), false) + pieces.next(bytes.subarray(3), true), "a😀");
  });
});
