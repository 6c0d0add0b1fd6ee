import { randomBytes } from "node:crypto";
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { DECODING_LIMITS, decodeBody, decodedSize } from "../../extensions/proxy/body-decoding.ts";
import { describe } from "../support/describe.ts";

type Encoder = (body: Uint8Array) => Buffer;

const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } };
const ENCODERS: readonly (readonly [coding: string, encode: Encoder])[] = [
  ["gzip", (body) => gzipSync(body)],
  ["x-gzip", (body) => gzipSync(body)],
  ["deflate", (body) => deflateSync(body)],
  ["deflate", (body) => deflateRawSync(body)],
  ["br", (body) => brotliCompressSync(body, quick)],
  ["zstd", (body) => zstdCompressSync(body)],
  ["identity", (body) => Buffer.from(body)],
];
const TEXT = Buffer.from(Array.from({ length: 5_000 }, (_, index) => `line ${index}\n`).join(""));

/** These tests are about bytes: a machine that is busy must not decide them. */
const PATIENT = 15_000;
/** Milliseconds in which a thread does nothing else. */
const BUSY = 1_000;

describe("decoding of bodies", (test) => {
  test("every coding is undone, alone and in a row, in whatever case", async () => {
    for (const [outer, encodeOuter] of ENCODERS) {
      assert.equal(await decodeBody(encodeOuter(TEXT), outer.toUpperCase(), PATIENT), {
        bytes: TEXT,
        total: TEXT.length,
        problem: null,
      });
      for (const [inner, encodeInner] of ENCODERS) {
        const { bytes, problem } = await decodeBody(encodeOuter(encodeInner(TEXT)), ` ${inner} , ${outer},`, PATIENT);
        assert.is(problem, null, `${inner}, ${outer}`);
        assert.ok(bytes.equals(TEXT));
      }
    }
  });

  test("any bytes come back", () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array(), fc.constantFrom(...ENCODERS), async (body, [coding, encode]) => {
        const { bytes, problem } = await decodeBody(encode(body), coding, PATIENT);
        assert.ok(problem === null && bytes.equals(body));
        assert.is(await decodedSize(encode(body), coding, PATIENT), body.length);
      }),
    ));

  test("a body without coding, or without bytes, is itself", async () => {
    for (const coding of [null, "", "identity", " , "]) {
      assert.equal(await decodeBody(TEXT, coding), { bytes: TEXT, total: TEXT.length, problem: null });
    }
    assert.is((await decodeBody(Buffer.alloc(0), "gzip, br")).problem, null);
  });

  test("a body that was cut gives what it holds and says that it was cut", async () => {
    for (const [coding, encode] of ENCODERS.slice(0, 6)) {
      const text = randomBytes(800_000);
      const whole = encode(text);
      const { bytes, total, problem } = await decodeBody(whole.subarray(0, whole.length * 0.9), coding, PATIENT);
      assert.is(problem, "it ends before its encoding does", coding);
      assert.is(total, bytes.length);
      assert.ok(bytes.length > text.length / 2, `${coding} ${bytes.length}`);
      assert.ok(text.subarray(0, bytes.length).equals(bytes));
      assert.is(await decodedSize(whole.subarray(0, -1), coding, PATIENT), null);
    }
  });

  test("what is not encoded as it says is told in words", async () => {
    // No random bytes: some of those are a whole, empty body in Brotli.
    const plain = Buffer.from("sent as it is, under the name of a coding\n".repeat(12));
    for (const coding of ["gzip", "deflate", "br", "zstd"]) {
      assert.match(
        (await decodeBody(plain, coding, PATIENT)).problem ?? "",
        /not encoded as it says|ends before/,
        coding,
      );
    }
    for (const coding of ["snappy", "constructor", "__proto__", "toString"]) {
      assert.is((await decodeBody(TEXT, coding)).problem, `the coding "${coding}" is not known`.toLowerCase());
    }
    assert.match((await decodeBody(TEXT, "gzip,gzip,gzip,gzip,gzip")).problem ?? "", /too many times/);
  });

  test("a bomb is bounded in bytes, memory and time, in every coding and wrapped twice", async () => {
    const zeros = Buffer.alloc(100_000_000);
    for (const [coding, encode] of ENCODERS.slice(0, 6)) {
      for (const [name, bomb] of [
        [coding, encode(zeros)],
        [`${coding}, gzip`, gzipSync(encode(zeros))],
      ] as const) {
        const before = process.memoryUsage().rss;
        const start = performance.now();
        const { bytes, problem } = await decodeBody(bomb, name);
        assert.match(problem ?? "", /larger than 10 MB|grows more than 200 times|takes too long/, name);
        assert.ok(bytes.length <= DECODING_LIMITS.bytes);
        assert.ok(performance.now() - start < DECODING_LIMITS.time * 10, name);
        assert.ok(process.memoryUsage().rss - before < 64 * 1024 * 1024, name);
      }
    }
  });

  test("a thread that was busy with other work for longer than a body's time takes what was decoded meanwhile", async () => {
    const decoding = decodeBody(gzipSync(TEXT), "gzip", BUSY / 2);
    const end = performance.now() + BUSY;
    while (performance.now() < end);
    assert.is((await decoding).problem, null);
  });

  test("other work goes on while a large body is decoded", async () => {
    const body = gzipSync(randomBytes(8_000_000), { level: 1 });
    let turns = 0;
    let decoding = true;
    const turn = () => {
      turns += 1;
      if (decoding) setImmediate(turn);
    };
    setImmediate(turn);
    await decodeBody(body, "gzip", PATIENT);
    decoding = false;
    assert.ok(turns > 50, `${turns} turns`);
  });
});
