import { appendFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32, zstdCompressSync } from "node:zlib";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { BlockFile, type Piece, readBlock } from "../../../extensions/proxy/storage/block-file.ts";
import type { Place } from "../../../extensions/proxy/storage/extents.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const NAME = "exchanges.blk";

function bytesOf(piece: Piece): Uint8Array {
  return typeof piece === "string" ? Buffer.from(piece) : piece;
}

/** Appends them in one go, and keeps them. */
function added(file: BlockFile, ...blocks: readonly string[]): readonly Place[] {
  const places = file.append(blocks.map((block) => [Buffer.from(block)]));
  file.keep();
  file.sync();
  return places;
}

describe("the file of blocks", (test) => {
  test("every block is read as it was appended, whatever was thrown away or left behind between", () =>
    withFolder(async (folder) => {
      const piece = fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.string({ unit: "binary", maxLength: 40 }));
      const block = fc.array(piece, { minLength: 1, maxLength: 4 });
      const step = fc.record({
        blocks: fc.array(block, { maxLength: 4 }),
        kept: fc.boolean(),
        after: fc.constantFrom("nothing", "close", "crash"),
      });
      let round = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          round += 1;
          const own = join(folder, String(round));
          await mkdir(own);
          let file = new BlockFile(own);
          const expected: (readonly [Place, Buffer])[] = [];
          for (const { blocks, kept, after } of steps) {
            const places = file.append(blocks);
            if (kept) file.keep();
            for (const [at, place] of kept ? places.entries() : []) {
              expected.push([place, Buffer.concat((blocks[at] ?? []).map(bytesOf))]);
            }
            if (after !== "nothing") file.close();
            if (after === "crash") await appendFile(join(own, NAME), "left behind");
            if (after !== "nothing") file = new BlockFile(own);
          }
          file.close();
          for (const [place, bytes] of expected) assert.ok(readBlock(own, place).equals(bytes));
        }),
        { numRuns: 60 },
      );
    }));

  test("what could not be written is written anew, where it would have been", () =>
    withFolder(async (folder) => {
      await mkdir(join(folder, NAME));
      const file = new BlockFile(folder);
      assert.throws(() => added(file, "first"), /EISDIR/);
      await rm(join(folder, NAME), { recursive: true });
      const [first, second] = added(file, "first", "second");
      if (first === undefined || second === undefined) throw new Error("no places");
      assert.equal([first.offset, second.offset], [0, first.length]);
      assert.is(readBlock(folder, second).toString(), "second");
      file.close();
    }));

  test("a large block of heads that resemble each other takes little of the disk, whatever its neighbours", () =>
    withFolder(async (folder) => {
      const file = new BlockFile(folder);
      const heads = (host: string, count: number) =>
        Array.from(
          { length: count },
          (_, at) => `GET /items/${at} HTTP/1.1\r\nHost: ${host}\r\nAccept: */*\r\n\r\n`,
        ).join("");
      const texts = [heads("one.test", 100), heads("gr\u00f6\u00dfer.test", 10_000), heads("two.test", 100)];
      const places = added(file, ...texts);
      file.close();
      for (const [at, place] of places.entries()) {
        assert.is(readBlock(folder, place).toString(), texts[at]);
        assert.ok(place.length < (texts[at] ?? "").length / 5, `${place.length} bytes`);
      }
    }));

  test("a block of version 5, which lies there as it is, is read", () =>
    withFolder(async (folder) => {
      const bytes = Buffer.alloc(64, 1);
      bytes.writeUInt32LE(8 * 28, 0);
      await writeFile(join(folder, NAME), bytes);
      assert.ok(readBlock(folder, { offset: 0, length: bytes.length, check: crc32(bytes) }).equals(bytes));
    }));

  test("damage is told and never given as a block", () =>
    withFolder(async (folder) => {
      const file = new BlockFile(folder);
      const [, place] = added(file, "before", "a block");
      if (place === undefined) throw new Error("no place");
      file.close();
      const path = join(folder, NAME);
      const whole = await readFile(path);
      for (let at = place.offset; at < whole.length; at += 1) {
        const damaged = Buffer.from(whole);
        damaged[at] = (damaged[at] ?? 0) ^ 1;
        await writeFile(path, damaged);
        assert.throws(() => readBlock(folder, place), /damaged/);
        await writeFile(path, whole.subarray(0, at));
        assert.throws(() => readBlock(folder, place), /damaged/);
      }
      for (const wrong of [{ length: 2 ** 40 }, { length: -1 }, { offset: -1 }, { length: Number.NaN }]) {
        assert.throws(() => readBlock(folder, { ...place, ...wrong }));
      }
      await rm(path);
      assert.throws(() => readBlock(folder, place), /ENOENT/);
    }));

  test("a frame that would become larger than any block is refused", () =>
    withFolder(async (folder) => {
      const bomb = zstdCompressSync(Buffer.alloc(257 * 1024 * 1024));
      await writeFile(join(folder, NAME), bomb);
      assert.throws(() => readBlock(folder, { offset: 0, length: bomb.length, check: crc32(bomb) }), /larger than/i);
    }));
});
