import type { Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";
import type { Bytes, Milliseconds } from "../../src/engine/model/units.ts";

/** security.md, L2: at most so many bytes come out, so many times what went in, after so many ms. */
export const DECODING_LIMITS = Object.freeze({ bytes: 10 * 1024 * 1024, ratio: 200, time: 200 });
/**
 * Our choice: a body's time is counted in so many steps, and between two of them what zlib's threads have made is taken. So
 * what this thread spends on other work, however long, is one step: the body may have been done all the while.
 */
const STEPS = 10;
/** Our choice: nobody codes a body more often, and each coding may be a bomb of its own. */
const MOST_CODINGS = 4;
/** Our choice: below this many bytes a high ratio does no harm, and runs of blanks do compress a thousandfold. */
const RATIO_COUNTS_FROM = 1024 * 1024;

export interface DecodedBody {
  /** As far as it could be decoded, within the limits. */
  readonly bytes: Buffer;
  /** How many these are; of the whole body, if `problem` is `null`. */
  readonly total: Bytes;
  /** Why it is not whole, in words; `null` if it is. */
  readonly problem: string | null;
}

/** A new decoder; `whole` false: one that gives what it can of a body that was cut. */
type Coding = (whole: boolean, body: Buffer) => Transform;

const CODINGS: ReadonlyMap<string, Coding> = new Map(
  Object.entries({
    gzip: (whole) => createGunzip({ finishFlush: zlibFlush(whole) }),
    // RFC 9110, 8.4.1.2: the zlib format, but some servers send the bare deflate stream.
    deflate: (whole, body) => (isZlib(body) ? createInflate : createInflateRaw)({ finishFlush: zlibFlush(whole) }),
    br: (whole) =>
      createBrotliDecompress({
        finishFlush: whole ? constants.BROTLI_OPERATION_FINISH : constants.BROTLI_OPERATION_FLUSH,
      }),
    zstd: (whole) =>
      createZstdDecompress({
        finishFlush: whole ? constants.ZSTD_e_end : constants.ZSTD_e_flush,
        params: { [constants.ZSTD_d_windowLogMax]: 23 }, // RFC 9659: 8 MB, so that a header cannot ask for gigabytes
      }),
  } satisfies Record<string, Coding>),
);

/**
 * A body with its Content-Encoding undone, to be shown or measured. Codings were applied in the order in which the header names
 * them (RFC 9110, 8.4), so the last is undone first. The work is done on zlib's own threads. Never throws.
 */
export async function decodeBody(
  body: Uint8Array,
  contentEncoding: string | null,
  time: Milliseconds = DECODING_LIMITS.time,
): Promise<DecodedBody> {
  const codings = codingsOf(contentEncoding);
  let bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (codings.length > MOST_CODINGS) return partOf([bytes], "it was encoded too many times");
  const patience = { steps: STEPS, step: time / STEPS };
  for (const name of codings) {
    const coding = CODINGS.get(name);
    if (coding === undefined) return partOf([bytes], `the coding "${name}" is not known`);
    if (bytes.length === 0) break; // the answer to a HEAD, or a 304
    const decoded = await undone(coding, bytes, patience);
    if (decoded.problem !== null) return decoded;
    bytes = decoded.bytes;
  }
  return partOf([bytes], null);
}

/** The size of a whole body after content decoding; `null` where it cannot be told within the limits. */
export async function decodedSize(
  body: Uint8Array,
  contentEncoding: string | null,
  time: Milliseconds = DECODING_LIMITS.time,
): Promise<Bytes | null> {
  const { total, problem } = await decodeBody(body, contentEncoding, time);
  return problem === null ? total : null;
}

/** In the order in which they are to be undone. */
function codingsOf(contentEncoding: string | null): readonly string[] {
  const names = (contentEncoding ?? "").toLowerCase().split(",");
  return names
    .map((name) => name.trim().replace(/^x-/, ""))
    .filter((name) => name !== "" && name !== "identity")
    .reverse();
}

/** The time that is left, for all codings of a body together. */
interface Patience {
  steps: number;
  readonly step: Milliseconds;
}

async function undone(coding: Coding, body: Buffer, patience: Patience): Promise<DecodedBody> {
  const whole = await run(coding(true, body), body, patience);
  if (whole.problem !== CUT) return whole;
  const part = await run(coding(false, body), body, patience);
  return partOf([part.bytes], part.problem ?? CUT);
}

const CUT = "it ends before its encoding does";

function run(decoder: Transform, body: Buffer, patience: Patience): Promise<DecodedBody> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let total = 0;
    const settle = (problem: string | null) => {
      clearTimeout(timer);
      decoder.removeAllListeners("data");
      decoder.destroy();
      resolve(partOf(parts, problem));
    };
    const endStep = () => {
      patience.steps -= 1;
      if (patience.steps === 0) return settle("decoding it takes too long");
      timer = setTimeout(endStep, patience.step);
    };
    let timer = setTimeout(endStep, patience.step);
    decoder.on("data", (part: Buffer) => {
      const problem = excessOf(total + part.length, body.length);
      if (problem !== null) return settle(problem);
      parts.push(part);
      total += part.length;
    });
    decoder.on("error", (error: NodeJS.ErrnoException) => settle(wordsOf(error)));
    decoder.on("end", () => settle(null));
    decoder.end(body);
  });
}

function excessOf(total: Bytes, encoded: Bytes): string | null {
  if (total > DECODING_LIMITS.bytes) return "it is larger than 10 MB when decoded";
  const isBomb = total > RATIO_COUNTS_FROM && total > encoded * DECODING_LIMITS.ratio;
  return isBomb ? `it grows more than ${DECODING_LIMITS.ratio} times when decoded` : null;
}

function wordsOf(error: NodeJS.ErrnoException): string {
  const isCut = /unexpected end/i.test(error.message) || error.code === "ZSTD_error_srcSize_wrong";
  return isCut ? CUT : `it is not encoded as it says (${error.code ?? error.message})`;
}

function partOf(parts: readonly Buffer[], problem: string | null): DecodedBody {
  const bytes = Buffer.concat(parts);
  return { bytes, total: bytes.length, problem };
}

function zlibFlush(whole: boolean): number {
  return whole ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
}

/** RFC 1950, 2.2: method 8 in the low bits, and the first two bytes a multiple of 31. */
function isZlib(body: Buffer): boolean {
  const [first = 0, second = 0] = body;
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}
