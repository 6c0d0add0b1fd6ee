import { randomBytes } from "node:crypto";
import {
  brotliCompressSync,
  constants,
  crc32,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { decodeBody, decodedAtOnce } from "../../../extensions/proxy/decoding/body-decoding.ts";
import { DECODING_LIMITS } from "../../../extensions/proxy/decoding/decoder-run.ts";
import { describe } from "../../support/describe.ts";
import { IS_QUICK, rounds, someOf } from "../../support/rounds.ts";

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

/** These tests are about bytes: a busy machine must not make them fail. */
const PATIENT = 15_000;
/** Milliseconds for which a thread is blocked. */
const BUSY = 1_000;

describe("body decoding", (test) => {
  test("given every coding, alone and in pairs, in any case, decodes the body", async () => {
    for (const [outer, encodeOuter] of ENCODERS) {
      assert.equal(await decodeBody(encodeOuter(TEXT), outer.toUpperCase(), PATIENT), {
        bytes: TEXT,
        total: TEXT.length,
        problem: null,
      });
      for (const [inner, encodeInner] of someOf(ENCODERS)) {
        const { bytes, problem } = await decodeBody(encodeOuter(encodeInner(TEXT)), ` ${inner} , ${outer},`, PATIENT);
        assert.is(problem, null, `${inner}, ${outer}`);
        assert.ok(bytes.equals(TEXT));
      }
    }
  });

  test("given any body, whole, cut, damaged or followed by more, decoding it at once gives the same or nothing", () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.uint8Array(), fc.constant(TEXT)),
        fc.constantFrom(...ENCODERS),
        fc.constantFrom("whole", "cut", "damaged", "followed", "twice"),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (body, [coding, encode], form, share) => {
          const whole = encode(body);
          const index = Math.floor(share * whole.length);
          const made = {
            whole,
            cut: whole.subarray(0, index),
            damaged: Buffer.concat([whole.subarray(0, index), Buffer.from([0xa5]), whole.subarray(index + 1)]),
            followed: Buffer.concat([whole, Buffer.from([1, 2, 3])]),
            twice: Buffer.concat([whole, whole]),
          }[form];
          const atOnce = decodedAtOnce(made, coding);
          if (atOnce !== null) assert.equal(atOnce, await decodeBody(made, coding, PATIENT));
          else assert.ok(form !== "whole" || coding === "identity");
        },
      ),
      { numRuns: rounds(300) },
    ));

  test("given a large body, one that grows large, or two codings, does not decode at once", () => {
    assert.is(decodedAtOnce(gzipSync(randomBytes(80_000)), "gzip"), null);
    assert.is(decodedAtOnce(gzipSync(Buffer.alloc(2_000_000)), "gzip"), null);
    assert.is(decodedAtOnce(gzipSync(gzipSync(TEXT)), "gzip, gzip"), null);
  });

  test("given any bytes, decodes what was encoded to the same bytes", () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array(), fc.constantFrom(...ENCODERS), async (body, [coding, encode]) => {
        const { bytes, problem } = await decodeBody(encode(body), coding, PATIENT);
        assert.ok(problem === null && bytes.equals(body));
        const whole = await decodeBody(encode(body), coding, PATIENT);
        assert.equal([whole.total, whole.problem], [body.length, null]);
      }),
    ));

  test("given a body without a coding or without bytes, returns it unchanged", async () => {
    for (const coding of [null, "", "identity", " , "]) {
      assert.equal(await decodeBody(TEXT, coding), { bytes: TEXT, total: TEXT.length, problem: null });
    }
    assert.is((await decodeBody(Buffer.alloc(0), "gzip, br")).problem, null);
  });

  test("given a body that was cut, returns the bytes that it holds and says that it was cut", async () => {
    for (const [coding, encode] of someOf(ENCODERS.slice(0, 6))) {
      const text = randomBytes(800_000);
      const whole = encode(text);
      const { bytes, total, problem } = await decodeBody(whole.subarray(0, whole.length * 0.9), coding, PATIENT);
      assert.is(problem, "it is cut off within its encoding", coding);
      assert.is(total, bytes.length);
      assert.ok(bytes.length > text.length / 2, `${coding} ${bytes.length}`);
      assert.ok(text.subarray(0, bytes.length).equals(bytes));
      assert.is.not((await decodeBody(whole.subarray(0, -1), coding, PATIENT)).problem, null);
    }
  });

  test("given a cut body below another coding, returns the bytes that it holds and says that it was cut", async () => {
    const text = randomBytes(400_000);
    const inner = gzipSync(text);
    const { bytes, problem } = await decodeBody(
      brotliCompressSync(inner.subarray(0, -9_000), quick),
      "gzip, br",
      PATIENT,
    );
    assert.is(problem, "it is cut off within its encoding");
    assert.ok(bytes.length > text.length / 2 && text.subarray(0, bytes.length).equals(bytes));
  });

  test("given a list with an unknown coding, decodes down to that coding and names the problem", async () => {
    for (const list of ["sdch, gzip", "UTF-8,gzip", "none , x-gzip"]) {
      const { bytes, problem } = await decodeBody(gzipSync(TEXT), list, PATIENT);
      assert.match(problem ?? "", /is not known/);
      assert.ok(bytes.equals(TEXT), list);
    }
  });

  test("given bytes behind the end of an encoding, appends them as received and says so", async () => {
    for (const [coding, encode] of ENCODERS.slice(0, 6)) {
      const behind = Buffer.from("<!-- 12 ms -->");
      const { bytes, problem } = await decodeBody(Buffer.concat([encode(TEXT), behind]), coding, PATIENT);
      assert.is(problem, "more bytes follow after the end of its encoding; they are shown as received", coding);
      assert.is(bytes.toString(), `${TEXT}<!-- 12 ms -->`, coding);
    }
  });

  test("given gzip in several members, decodes them as one body, with padding or text behind them", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array(), { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        async (parts, isNamed) => {
          const members = Buffer.concat(parts.map((part) => (isNamed ? named(gzipSync(part)) : gzipSync(part))));
          const all = Buffer.concat(parts);
          for (const padding of [0, 3]) {
            const { bytes, problem } = await decodeBody(
              Buffer.concat([members, Buffer.alloc(padding)]),
              "gzip",
              PATIENT,
            );
            assert.ok(problem === null && bytes.equals(all));
          }
          const { bytes, problem } = await decodeBody(Buffer.concat([members, Buffer.from("text")]), "gzip", PATIENT);
          assert.match(problem ?? "", /follow after the end/);
          assert.ok(bytes.equals(Buffer.concat([all, Buffer.from("text")])));
        },
      ),
      { numRuns: rounds(30) },
    ));

  test("given a damaged gzip member, returns all bytes as received", async () => {
    const [first, second] = [gzipSync(TEXT), gzipSync(TEXT)];
    for (const index of [30, second.length - 6, second.length - 1]) {
      const damaged = Buffer.from(second);
      damaged[index] = (damaged[index] ?? 0) ^ 0xff;
      const body = Buffer.concat([first, damaged]);
      const { bytes, problem } = await decodeBody(body, "gzip", PATIENT);
      assert.match(problem ?? "", /these are the bytes as received$/);
      assert.ok(bytes.equals(body));
    }
  });

  test("given many gzip members before text, applies the limit to all of them together", async () => {
    const bomb = Buffer.concat([...Array(40).fill(gzipSync(Buffer.alloc(1_000_000))), Buffer.from("text")]);
    const { bytes, problem } = await decodeBody(bomb, "gzip", PATIENT);
    assert.match(problem ?? "", /larger than 10 MB|grows more than 200 times/);
    assert.ok(bytes.length <= DECODING_LIMITS.bytes);
  });

  test("given a body that is not encoded as declared, returns it as received with a reason", async () => {
    // Not random bytes: some are a valid empty Brotli body.
    const plain = Buffer.from("sent as it is, under the name of a coding\n".repeat(12));
    for (const coding of ["gzip", "deflate", "br", "zstd"]) {
      const { bytes, problem } = await decodeBody(plain, coding, PATIENT);
      assert.match(
        problem ?? "",
        /^(?:it is not valid in its declared encoding|it is cut off).*; these are the bytes as received$/,
      );
      assert.ok(bytes.equals(plain), coding);
    }
    for (const coding of ["snappy", "constructor", "__proto__", "toString"]) {
      const { bytes, problem } = await decodeBody(TEXT, coding);
      assert.is(problem, `the coding "${coding}" is not known; these are the bytes as received`.toLowerCase());
      assert.ok(bytes.equals(TEXT));
    }
    assert.match((await decodeBody(TEXT, "gzip,gzip,gzip,gzip,gzip")).problem ?? "", /^it has more than 4 codings;/);
  });

  test("given a decompression bomb in any coding, also wrapped twice, bounds its bytes and memory", async () => {
    const zeros = Buffer.alloc((IS_QUICK ? 20 : 100) * 1_000_000);
    for (const [coding, encode] of someOf(ENCODERS.slice(0, 6))) {
      const once = encode(zeros);
      for (const [name, bomb] of [
        [coding, once],
        [`${coding}, gzip`, gzipSync(once)],
      ] as const) {
        const before = process.memoryUsage().rss;
        const { bytes, problem } = await decodeBody(bomb, name);
        assert.match(problem ?? "", /larger than 10 MB|grows more than 200 times|takes too long/, name);
        assert.ok(bytes.length <= DECODING_LIMITS.bytes);
        assert.ok(process.memoryUsage().rss - before < 64 * 1024 * 1024, name);
      }
    }
  });

  test("given a thread busy beyond the time limit of a body, still returns the body decoded meanwhile", async () => {
    const decoding = decodeBody(gzipSync(TEXT), "gzip", BUSY / 2);
    const end = performance.now() + BUSY;
    while (performance.now() < end);
    assert.is((await decoding).problem, null);
  });

  test(
    "given a large body, decodes it without blocking other work",
    async () => {
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
    },
    { isLong: true },
  );
});

/** A gzip member with an extra field, a name, a comment and a header checksum (RFC 1952, 2.3). */
function named(member: Buffer): Buffer {
  const head = Buffer.from(member.subarray(0, 10));
  head[3] = 2 | 4 | 8 | 16;
  const fields = Buffer.concat([head, Buffer.from("\u0003\u0000abcname\u0000comment\u0000", "latin1")]);
  const checksum = Buffer.alloc(2);
  checksum.writeUInt16LE(crc32(fields) & 0xffff);
  return Buffer.concat([fields, checksum, member.subarray(10)]);
}
