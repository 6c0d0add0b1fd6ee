import { appendFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { BlockFile, readBlock } from "../../../extensions/proxy/storage/block-file.ts";
import type { Place } from "../../../extensions/proxy/storage/extents.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const NAME = "exchanges.blk";

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
      const block = fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 4 });
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
              expected.push([place, Buffer.concat(blocks[at] ?? [])]);
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
      assert.equal([first.offset, second.offset], [0, 5]);
      assert.is(readBlock(folder, second).toString(), "second");
      file.close();
    }));

  test("damage is told and never given as a block", () =>
    withFolder(async (folder) => {
      const file = new BlockFile(folder);
      const [, place] = added(file, "before", "a block");
      if (place === undefined) throw new Error("no place");
      file.close();
      const path = join(folder, NAME);
      assert.is((await readFile(path)).toString(), "beforea block");
      for (const bytes of ["beforea blocK", "beforea bloc", ""]) {
        await writeFile(path, bytes);
        assert.throws(() => readBlock(folder, place), /damaged/);
      }
      for (const wrong of [{ length: 2 ** 40 }, { length: -1 }, { offset: -1 }, { length: Number.NaN }]) {
        assert.throws(() => readBlock(folder, { ...place, ...wrong }));
      }
      await rm(path);
      assert.throws(() => readBlock(folder, place), /ENOENT/);
    }));
});
