import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { inflateFile } from "../../../extensions/proxy/decoding/unpacker.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { DAMAGED, ZipArchive } from "../../../src/engine/report/zip-archive.ts";
import { describe } from "../../support/describe.ts";
import { zipOf } from "../../support/made-zip.ts";
import { rounds } from "../../support/rounds.ts";
import { resultOf } from "../../support/slices.ts";

function opened(archive: Buffer): ZipArchive {
  return unwrap(resultOf(ZipArchive.open(archive, inflateFile)));
}

describe("zip archive", (test) => {
  test("given any files, reads each by its name, stored or deflated, wherever it lies", () => {
    const name = fc.stringMatching(/^[a-z./\\ ]{1,12}$/);
    const files = fc.uniqueArray(fc.tuple(name, fc.uint8Array({ maxLength: 300 })), { selector: ([one]) => one });
    fc.assert(
      fc.property(files, fc.constantFrom(0 as const, 8 as const), (all, method) => {
        const named = all.map(([one, bytes]) => [one, Buffer.from(bytes)] as const);
        const archive = opened(zipOf(named, method));
        for (const [one, bytes] of named) assert.equal(Buffer.from(unwrap(archive.read(one))), bytes);
        assert.equal(archive.read("absent-file"), { ok: false, problem: "the zip archive has no such file" });
      }),
    );
  });

  test("given changed bytes, says that a file is damaged, or reads what is there; never throws", () => {
    const whole = zipOf([["a.json", Buffer.from(JSON.stringify({ text: "x".repeat(200) }))]], 8);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, value) => {
        const changed = Buffer.from(whole);
        changed[at] = value;
        const archive = resultOf(ZipArchive.open(changed, inflateFile));
        if (archive.ok) archive.value.read("a.json");
      }),
    );
  });

  test("given a file that is too large, or grows more than 200 times, refuses that file alone", () => {
    const small = Buffer.from("small");
    const packed = opened(zipOf([["bomb", Buffer.alloc(9 * 1024 * 1024)], ["small", small]], 8)); // biome-ignore format: a table
    const stored = opened(zipOf([["large", Buffer.alloc(11 * 1024 * 1024)]], 0));
    for (const read of [packed.read("bomb"), stored.read("large")])
      assert.match(read.ok ? "" : read.problem, "larger than 10 MB, or 200 times its size");
    assert.equal(Buffer.from(unwrap(packed.read("small"))), small);
  });

  test("given one file that is named again and again, stops at 1 GB", () => {
    const archive = opened(zipOf([["a", Buffer.alloc(10 * 1024 * 1024)]], 0));
    const reads = Array.from({ length: 104 }, () => archive.read("a").ok);
    assert.equal([reads.filter((ok) => ok).length, reads.at(-1)], [102, false]);
  });

  test("given files that cannot be unpacked, counts each as 10 MB, and stops at 1 GB as well", () => {
    let inflated = 0;
    const inflate = () => {
      inflated += 1;
      return DAMAGED;
    };
    const archive = unwrap(resultOf(ZipArchive.open(zipOf([["a", Buffer.from("small")]], 8), inflate)));
    for (let read = 0; read < 200; read += 1) assert.is(archive.read("a").ok, false);
    assert.is(inflated, 103);
  });

  test("given many names, reads 500 of them in a step; names of more than 1,024 bytes name no file", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_000 }), (count) => {
        const files = Array.from({ length: count }, (_, index) => [`f${index}`, Buffer.alloc(0)] as const);
        const [fits, long] = ["n".repeat(1_024), "n".repeat(1_025)];
        const opening = ZipArchive.open(zipOf([...files, [fits, Buffer.alloc(0)], [long, Buffer.alloc(0)]], 0), inflateFile); // biome-ignore format: a table
        const steps = [...opening].length;
        assert.is(steps, Math.floor((count + 2) / 500));
        const archive = opened(zipOf([...files, [fits, Buffer.alloc(0)], [long, Buffer.alloc(0)]], 0));
        assert.equal([archive.read(fits).ok, archive.read(long).ok], [true, false]);
      }),
      { numRuns: rounds(10) },
    );
  });
});
