import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { openUnpacker } from "../../../extensions/proxy/decoding/unpacker.ts";
import { HarText } from "../../../src/engine/report/har-text.ts";
import { describe } from "../../support/describe.ts";
import { zipOf } from "../../support/made-zip.ts";
import { IS_QUICK, rounds } from "../../support/rounds.ts";

const SAMPLE = `{"log":{"entries":[{"a":"Grüße, 你好, 😀"}]}}`.repeat(60);

const ENCODED: Readonly<Record<string, Buffer>> = {
  "UTF-8": Buffer.from(SAMPLE),
  "UTF-8 with a byte order mark": Buffer.from(`\ufeff${SAMPLE}`),
  "UTF-16, little-endian": Buffer.from(`\ufeff${SAMPLE}`, "utf16le"),
  "UTF-16, big-endian": Buffer.from(`\ufeff${SAMPLE}`, "utf16le").swap16(),
  "UTF-16, little-endian, without a mark": Buffer.from(SAMPLE, "utf16le"),
  "UTF-16, big-endian, without a mark": Buffer.from(SAMPLE, "utf16le").swap16(),
};

const BOMB = Buffer.alloc((IS_QUICK ? 20 : 100) * 1024 * 1024, " ");

describe("HAR file text", (test) => {
  for (const [name, bytes] of Object.entries(ENCODED))
    test(`given ${name}, reads the text, plain and as gzip, in pieces of any size`, async () => {
      for (const file of [
        bytes,
        gzipSync(bytes),
        Buffer.concat([gzipSync(bytes.subarray(0, 1_000)), gzipSync(bytes.subarray(1_000))]),
      ])
        for (const size of [1, 3, 1_001, file.length])
          assert.equal(await read(pieces(file, size)), { text: SAMPLE, problem: null });
    });

  test("given files of few or no bytes, reads them as text", async () => {
    for (const text of ["", "{", "{}", "{} "]) assert.equal(await read([Buffer.from(text)]), { text, problem: null });
  });

  test("given a zip archive with a .har file, stored or deflated at any position, reads the file", async () => {
    for (const bytes of Object.values(ENCODED))
      for (const method of [0, 8] as const)
        for (const files of [
          [["har.har", bytes]],
          [
            ["a1b2.html", Buffer.from("<p>")],
            ["trace/NETWORK.HAR", bytes],
            ["z.png", Buffer.alloc(9)],
          ],
          [
            ["__MACOSX/a/._a.har", Buffer.from("attributes")],
            ["._a.har", Buffer.from("attributes")],
            ["a/a.har", bytes],
          ],
        ] as const)
          for (const size of [1_001, 1_000_000])
            assert.equal(await read(pieces(zipOf(files, method), size)), { text: SAMPLE, problem: null });
  });

  test("given a zip archive with two .har files, reports a problem and reads neither", async () => {
    const files = ["a.har", "b/a.har"].map((name) => [name, Buffer.from(SAMPLE)] as const);
    const { text, problem } = await read([zipOf(files, 8)]);
    assert.equal([text, problem?.slice(0, 51)], ["", "This zip archive contains more than one .har file. "]);
  });

  test("given a zip archive that is cut, changed, encrypted or without a .har file, reports the problem", async () => {
    const problemOf = async (zip: Buffer) => (await read(pieces(zip, 500))).problem ?? "";
    const whole = zipOf([["har.har", Buffer.from(SAMPLE)]], 8);
    assert.is(await problemOf(zipOf([["a.txt", Buffer.from("{}")]], 0)), "This zip archive contains no .har file.");
    assert.is(await problemOf(zipOf([], 0)), "This zip archive contains no .har file.");
    for (const length of [4, 40, whole.length - 30, whole.length - 1])
      assert.match(await problemOf(whole.subarray(0, length)), /^This zip archive is damaged or was cut off/);
    const encrypted = Buffer.from(whole);
    encrypted.writeUInt16LE(1, whole.indexOf("PK\u0001\u0002") + 8);
    assert.match(await problemOf(encrypted), /Weir cannot unpack/);
    const changed = Buffer.from(whole).fill(0xff, 40, 60);
    assert.is(await problemOf(changed), "This compressed file is damaged.");
  });

  test("given any changes to a zip archive, reads it or reports a problem as a sentence", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 6 }), async (changes) => {
        const zip = zipOf(
          [
            ["a.txt", Buffer.from("a")],
            ["har.har", Buffer.from(SAMPLE)],
          ],
          8,
        );
        for (const [index, value] of changes) zip[4 + (index % (zip.length - 4))] = value;
        const { problem } = await read([zip]);
        assert.ok(problem === null || /^[A-Z].*\.$/.test(problem));
      }),
    ));

  test("given a zip bomb, refuses it before much of it is unpacked", async () => {
    const { text, problem } = await read([zipOf([["har.har", BOMB]], 8)]);
    assert.match(problem ?? "", /grows more than 200 times/);
    assert.ok(text.length <= 20 * 1024 * 1024, String(text.length));
  });

  test("given gzip that is cut or changed, reports the problem", async () => {
    const packed = gzipSync(ENCODED["UTF-8"] ?? "");
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: packed.length - 1 }),
        fc.integer({ min: 1, max: 200 }),
        async (at, size) => {
          assert.is((await read(pieces(packed.subarray(0, at), size))).problem, "This compressed file was cut off.");
        },
      ),
      { numRuns: rounds(30) },
    );
    const changed = Buffer.from(packed);
    changed.fill(0xff, 20, 40);
    assert.is((await read(pieces(changed, 64))).problem, "This compressed file is damaged.");
  });

  test("given a file that a zip archive holds uncompressed, decodes at most 64 KB at once", async () => {
    const har = Buffer.from(JSON.stringify({ log: { entries: [{ text: "é".repeat(400_000) }] } }));
    const archive = zipOf([["a.har", har]], 0);
    const text = new HarText(openUnpacker);
    const parts: string[] = [];
    for (const [at, piece] of pieces(archive, 100_000).entries())
      for await (const part of text.decode(piece, at === Math.ceil(archive.length / 100_000) - 1)) parts.push(part);
    assert.is(parts.join(""), har.toString());
    assert.ok(parts.every(({ length }) => length <= 64 * 1024));
    assert.ok(parts.filter((part) => part === "").length >= archive.length / 100_000, "joining pauses as well");
  });

  test("given a gzip bomb, refuses it before much of it is unpacked and in small pieces", async () => {
    const bomb = gzipSync(BOMB);
    let most = 0;
    let total = 0;
    const text = new HarText(openUnpacker);
    for await (const part of text.decode(bomb, true)) {
      most = Math.max(most, part.length);
      total += part.length;
    }
    text.close();
    assert.match(text.problem ?? "", /grows more than 200 times/);
    assert.ok(total <= 20 * 1024 * 1024 && most <= 64 * 1024, `${total} ${most}`);
  });
});

function pieces(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}

async function read(parts: readonly Buffer[]): Promise<{ text: string; problem: string | null }> {
  const file = new HarText(openUnpacker);
  let text = "";
  for (const [at, part] of parts.entries()) {
    for await (const decoded of file.decode(part, at === parts.length - 1)) text += decoded;
    if (file.problem !== null) break;
  }
  file.close();
  return { text, problem: file.problem };
}
