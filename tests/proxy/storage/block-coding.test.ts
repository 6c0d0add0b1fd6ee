import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { compressedBlock, decompressedBlock } from "../../../extensions/proxy/storage/block-coding.ts";
import { describe } from "../../support/describe.ts";

describe("a block as it is stored", (test) => {
  test("is read again as it was, and not at all once a bit of it is another", () => {
    const bytes = fc.oneof(
      fc.uint8Array(),
      fc.nat(9_000).map((length) => new Uint8Array(length).fill(length)),
    );
    fc.assert(
      fc.property(bytes, fc.nat(), fc.nat(7), (block, place, bit) => {
        const frame = compressedBlock(block);
        assert.ok(decompressedBlock(frame).equals(block));
        const at = place % frame.length;
        frame[at] = (frame[at] ?? 0) ^ (1 << bit);
        let again: Buffer | null = null;
        try {
          again = decompressedBlock(frame);
        } catch {
          return;
        }
        assert.ok(again.equals(block), "a bit that means nothing");
      }),
    );
  });
});
