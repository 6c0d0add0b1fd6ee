import { mkdirSync } from "node:fs";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { BodyWriter } from "../../../extensions/proxy/storage/bodies.ts";
import {
  areKept,
  decodedExtents,
  type Extent,
  encodedExtents,
  lengthOf,
  NOWHERE,
  ReadAhead,
  readBytes,
} from "../../../extensions/proxy/storage/extents.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { openFilesIn } from "./open-files.ts";

const MEGABYTE = 1024 * 1024;
const PLENTY = 1024 * MEGABYTE;

async function sizesIn(folder: string): Promise<readonly number[]> {
  return Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size));
}

function reasonOf(folder: string, extents: readonly Extent[] | null): string {
  const part = readBytes(folder, extents, 0, PLENTY);
  return !part.ok ? part.problem : "";
}

describe("bodies on disk", (test) => {
  test("any range of any body is what was placed, whatever else was placed between its pieces", () =>
    withFolder((folder) => {
      let round = 0;
      const bytes = fc.oneof(
        fc.uint8Array({ maxLength: 50 }),
        fc.nat(9_000).map((length) => new Uint8Array(length).fill(length)),
      );
      const pieces = fc.array(fc.tuple(fc.nat(3), bytes, fc.boolean()));
      fc.assert(
        fc.property(pieces, fc.nat(10_000), fc.nat(10_000), (placed, from, count) => {
          round += 1;
          const own = join(folder, String(round));
          mkdirSync(own);
          const writer = new BodyWriter(own, PLENTY);
          const bodies = [0, 1, 2, 3].map(() => ({ extents: [] as Extent[], bytes: Buffer.alloc(0) }));
          for (const [index, bytes, write] of placed) {
            const body = bodies[index];
            if (body === undefined) throw new Error("no such body");
            body.extents.push(writer.place([bytes]));
            body.bytes = Buffer.concat([body.bytes, bytes]);
            if (write) writer.write();
          }
          writer.write();
          writer.close();
          for (const { extents, bytes } of bodies) {
            const again = decodedExtents(encodedExtents(extents));
            assert.is(lengthOf(again), bytes.length);
            const part = readBytes(own, again, from, count);
            assert.ok(part.ok && part.value.equals(bytes.subarray(from, from + count)));
          }
        }),
        { numRuns: 50 },
      );
    }));

  test("small pieces lie whole, however many are written at once", () =>
    withFolder((folder) => {
      const writer = new BodyWriter(folder, PLENTY);
      for (const round of [1, 2]) {
        const extents = Array.from({ length: 700 }, (_, index) => {
          return writer.place([Buffer.alloc(4_096, `${round} ${index} `)]);
        });
        writer.write();
        for (const [index, extent] of extents.entries()) {
          const part = readBytes(folder, [extent], 0, 4_096);
          assert.ok(part.ok && part.value.equals(Buffer.alloc(4_096, `${round} ${index} `)), String(index));
        }
      }
      writer.close();
    }));

  test("over the cap the oldest segments go, and what lay in them is said to be gone", () =>
    withFolder(async (folder) => {
      const writer = new BodyWriter(folder, 8 * MEGABYTE);
      const extents = Array.from({ length: 40 }, (_, index) => {
        const extent = writer.place([Buffer.alloc(MEGABYTE / 2, index)]);
        writer.write();
        return extent;
      });
      assert.ok((await openFilesIn(folder)).length <= 1);
      writer.close();
      assert.equal(await openFilesIn(folder), []);
      assert.equal(await sizesIn(folder), Array(8).fill(MEGABYTE));
      assert.match(reasonOf(folder, extents.slice(0, 1)), /it was deleted/);
      assert.is(reasonOf(folder, extents.slice(-1)), "");
      assert.not(areKept(folder, extents));
      assert.ok(areKept(folder, extents.slice(-1)));
    }));

  test("a lowered cap is kept to without another write, also where all lies in one segment", () =>
    withFolder(async (folder) => {
      const writer = new BodyWriter(folder, PLENTY);
      const write = () => {
        const extent = writer.place([Buffer.alloc(4 * MEGABYTE)]);
        writer.write();
        return extent;
      };
      for (let count = 1; count <= 25; count += 1) write();
      assert.equal(await sizesIn(folder), [64 * MEGABYTE, 36 * MEGABYTE]);
      writer.cap = 40 * MEGABYTE;
      writer.dropOldest();
      assert.equal(await sizesIn(folder), [36 * MEGABYTE]);
      writer.cap = 8 * MEGABYTE;
      writer.dropOldest();
      assert.equal(await sizesIn(folder), []);
      assert.equal(await openFilesIn(folder), [], "what is open takes its room on disk still");
      const extents = [write(), write(), write()];
      assert.equal(
        extents.map((extent) => reasonOf(folder, [extent])),
        ["it was deleted, because the session had too many bytes", "", ""],
      );
      writer.close();
    }));

  test("a range is read whatever became of the pieces beside it", () =>
    withFolder((folder) => {
      const writer = new BodyWriter(folder, PLENTY);
      const extent = writer.place([Buffer.from("here")]);
      writer.write();
      writer.close();
      const lost = { segment: NOWHERE, offset: 0, length: 4, check: 0 };
      const read = [0, 3, 4, 7, 8].map((from) => readBytes(folder, [lost, extent, lost], from, 4).ok);
      assert.equal(read, [false, false, true, false, false]);
    }));

  test("damage is told and never shown as the body", () =>
    withFolder(async (folder) => {
      const writer = new BodyWriter(folder, PLENTY);
      const extent = writer.place([Buffer.from("abc"), Buffer.from("defg")]);
      writer.write();
      writer.close();
      const path = join(folder, "bodies-0001.seg");
      for (const bytes of ["abcdefG", "abcdef", ""]) {
        await writeFile(path, bytes);
        assert.match(reasonOf(folder, [extent]), /damaged/);
      }
      assert.match(reasonOf(folder, [{ ...extent, length: 2 ** 40 }]), /damaged/);
      for (const text of ["[1]", "x", "[1,2,3,-4]", '["a",1,2,3]', "{}"]) {
        assert.match(reasonOf(folder, decodedExtents(text)), /damaged/);
      }
    }));

  test("neighbors are read at once, and checked each", () =>
    withFolder(async (folder) => {
      const writer = new BodyWriter(folder, PLENTY);
      const extents = Array.from({ length: 200 }, (_, index) => writer.place([Buffer.alloc(8_000, `${index} `)]));
      writer.write();
      writer.close();
      const ahead = new ReadAhead();
      const textOf = (extent: Extent, count = PLENTY) => {
        const part = readBytes(folder, [extent], 0, count, ahead);
        return part.ok ? part.value.toString() : part.problem;
      };
      for (const [index, extent] of extents.entries()) assert.is(textOf(extent), "".padEnd(8_000, `${index} `));
      const [first, second, third] = extents as [Extent, Extent, Extent];
      textOf(first, 4);
      await rm(join(folder, "bodies-0001.seg"));
      assert.is(textOf(second, 4), "1 1 ");
      await writeFile(join(folder, "bodies-0001.seg"), "other bytes");
      assert.match(textOf({ ...third, check: third.check ^ 1 }), /damaged/);
    }));

  test("a write that fails may be tried again, and everything then lies where it was promised", () =>
    withFolder(async (folder) => {
      const blocker = join(folder, "bodies-0001.seg");
      await mkdir(blocker);
      const writer = new BodyWriter(folder, PLENTY);
      const first = writer.place([Buffer.from("first")]);
      assert.throws(() => writer.write(), /EISDIR/);
      const second = writer.place([Buffer.from("second")]);
      assert.throws(() => writer.write(), /EISDIR/);
      await rm(blocker, { recursive: true });
      writer.write();
      assert.is(writer.waiting, 0);
      writer.close();
      const part = readBytes(folder, [second, first], 0, 100);
      assert.is(part.ok ? part.value.toString() : "", "secondfirst");
    }));

  test("what cannot be written is held up to a bound and then given up", () =>
    withFolder((folder) => {
      const writer = new BodyWriter(join(folder, "none"), PLENTY);
      const extents = Array.from({ length: 50 }, () => writer.place([Buffer.alloc(MEGABYTE)]));
      assert.throws(() => writer.write(), /ENOENT/);
      assert.ok(writer.waiting <= 32 * MEGABYTE);
      assert.match(reasonOf(folder, extents.slice(-1)), /could not be written/);
    }));
});
