import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { inflateFile } from "../../../extensions/proxy/decoding/unpacker.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { ZipArchive } from "../../../src/engine/report/zip-archive.ts";
import { describe } from "../../support/describe.ts";
import { zipOf } from "../../support/made-zip.ts";

describe("the files of a zip archive", (test) => {
  test("given any files, reads each by its name, stored or deflated, wherever it lies", () => {
    const name = fc.stringMatching(/^[a-z./\\ ]{1,12}$/);
    const files = fc.uniqueArray(fc.tuple(name, fc.uint8Array({ maxLength: 300 })), { selector: ([one]) => one });
    fc.assert(
      fc.property(files, fc.constantFrom(0 as const, 8 as const), (all, method) => {
        const named = all.map(([one, bytes]) => [one, Buffer.from(bytes)] as const);
        const archive = unwrap(ZipArchive.open(zipOf(named, method), inflateFile));
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
        const archive = ZipArchive.open(changed, inflateFile);
        if (archive.ok) archive.value.read("a.json");
      }),
    );
  });

  test("given a file that is too large, or grows more than 200 times, refuses that file alone", () => {
    const small = Buffer.from("small");
    const packed = unwrap(
      ZipArchive.open(zipOf([["bomb", Buffer.alloc(9 * 1024 * 1024)], ["small", small]], 8), inflateFile), // biome-ignore format: a table
    );
    const stored = unwrap(ZipArchive.open(zipOf([["large", Buffer.alloc(11 * 1024 * 1024)]], 0), inflateFile));
    for (const read of [packed.read("bomb"), stored.read("large")])
      assert.match(read.ok ? "" : read.problem, "larger than 10 MB, or 200 times its size");
    assert.equal(Buffer.from(unwrap(packed.read("small"))), small);
  });

  test("given one file that is named again and again, stops at 1 GB", () => {
    const archive = unwrap(ZipArchive.open(zipOf([["a", Buffer.alloc(10 * 1024 * 1024)]], 0), inflateFile));
    const reads = Array.from({ length: 104 }, () => archive.read("a").ok);
    assert.equal([reads.filter((ok) => ok).length, reads.at(-1)], [102, false]);
  });
});
