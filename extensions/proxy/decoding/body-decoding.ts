import { crc32, createInflateRaw } from "node:zlib";
import type { DecodedBody } from "../../../src/engine/capture/content-reader.ts";
import type { Bytes, Milliseconds } from "../../../src/engine/model/units.ts";
import { CODINGS, CODINGS_AT_ONCE, type Coding, codingsOf } from "./content-codings.ts";
import { DECODING_LIMITS, type DecoderRun, type Patience, runDecoder } from "./decoder-run.ts";

/**
 * The time limit is counted in this many steps. A delay of the event loop, however long, uses up one step, because
 * zlib's threads may have finished meanwhile.
 */
const STEPS = 10;
/** The most codings of one body. Real bodies have fewer, and each coding may be a decompression bomb. */
const MOST_CODINGS = 4;
/** The most members read from a gzip body that has trailing data. */
const MOST_MEMBERS = 1_000;

/** A decoded body in Node's memory. */
export interface DecodedBuffer extends DecodedBody {
  readonly bytes: Buffer;
}

/**
 * Decodes a body for display or measurement, on libuv's threads; never throws. Codings were applied in the header's
 * order (RFC 9110, 8.4), so the last is decoded first.
 */
export async function decodeBody(
  body: Uint8Array,
  contentEncoding: string | null,
  time: Milliseconds = DECODING_LIMITS.time,
): Promise<DecodedBuffer> {
  const codings = codingsOf(contentEncoding);
  let bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  let problem: string | null = null;
  if (codings.length > MOST_CODINGS) return partOf([bytes], `it has more than ${MOST_CODINGS} codings${AS_IT_CAME}`);
  const patience = { steps: STEPS, step: time / STEPS };
  for (const name of codings) {
    const coding = CODINGS.get(name);
    if (coding === undefined) return partOf([bytes], problem ?? `the coding "${name}" is not known${AS_IT_CAME}`);
    if (bytes.length === 0) break; // a response to HEAD, or a 304
    const layer = await undone(coding, bytes, patience);
    bytes = layer.bytes;
    problem ??= layer.problem;
    if (layer.isStopped) break;
  }
  return partOf([bytes], problem);
}

/** The most bytes of a body that is decoded at once, and of the result: that takes a few ms. */
const SMALL: Bytes = 64 * 1024;
const SMALL_DECODED: Bytes = 1024 * 1024;
/** The size of the buffers to which is decoded: most bodies fit into one. */
const LEAST_CHUNK: Bytes = 256;
const USUAL_RATIO = 4;

/**
 * Decodes a small whole body with one coding on this thread, in a fraction of the time that a stream takes. `null` for
 * any other body: `decodeBody` says what it is.
 */
export function decodedAtOnce(body: Uint8Array, contentEncoding: string): DecodedBuffer | null {
  const [coding, ...others] = codingsOf(contentEncoding);
  const decode = others.length > 0 ? undefined : CODINGS_AT_ONCE.get(coding ?? "");
  if (decode === undefined || body.length === 0 || body.length > SMALL) return null;
  try {
    // By default each call allocates 16 KB, whatever it decodes.
    const chunkSize = LEAST_CHUNK + USUAL_RATIO * body.length;
    const { buffer, engine } = decode(body, { info: true, maxOutputLength: SMALL_DECODED, chunkSize }) as Informed;
    return engine.bytesWritten === body.length ? { bytes: buffer, total: buffer.length, problem: null } : null;
  } catch {
    return null;
  }
}

/** The result of zlib with `info`. */
interface Informed {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: Bytes };
}

const AS_IT_CAME = "; these are the bytes as received";

interface Layer extends DecodedBuffer {
  /** Whether decoding ends here, so that further codings stay undecoded. */
  readonly isStopped: boolean;
}

async function undone(coding: Coding, body: Buffer, patience: Patience): Promise<Layer> {
  const whole = await runDecoder(coding(true, body), body, patience);
  if (whole.kind === "excess") return { ...partOf(whole.parts, whole.problem), isStopped: true };
  if (whole.kind === "cut") return cutLayer(await runDecoder(coding(false, body), body, patience), body);
  const members = whole.kind === "damaged" && coding === CODINGS.get("gzip") ? await membersOf(body, patience) : null;
  if (members !== null) return members;
  if (whole.kind === "damaged") return asItCame(body, whole.problem);
  return withRest(whole.parts, body.subarray(whole.taken));
}

function asItCame(body: Buffer, problem: string): Layer {
  return { ...partOf([body], `${problem}${AS_IT_CAME}`), isStopped: true };
}

/** The layer of a truncated body. `decoded`: the output of a decoder that accepts such a body. */
function cutLayer(decoded: DecoderRun, body: Buffer): Layer {
  if (decoded.kind === "excess") return { ...partOf(decoded.parts, decoded.problem), isStopped: true };
  if (decoded.kind === "damaged" || decoded.parts.length === 0) return asItCame(body, CUT);
  return { ...partOf(decoded.parts, CUT), isStopped: false };
}

/** The decoded `parts`, and the bytes after the coding's end, unless these are zeros (padding). */
function withRest(parts: readonly Buffer[], rest: Buffer): Layer {
  if (rest.equals(Buffer.alloc(rest.length))) return { ...partOf(parts, null), isStopped: false };
  return { ...partOf([...parts, rest], REST), isStopped: false };
}

const CUT = "it is cut off within its encoding";
const REST = "more bytes follow after the end of its encoding; they are shown as received";

/**
 * Decodes gzip's members (RFC 1952, 2.2) and keeps other trailing data. `null` if a member is damaged, or if there are
 * no members or too many.
 */
async function membersOf(body: Buffer, patience: Patience): Promise<Layer | null> {
  const parts: Buffer[] = [];
  let at = 0;
  for (let count = 0; count < MOST_MEMBERS && isGzip(body.subarray(at)); count += 1) {
    const start = at + gzipHeaderLength(body.subarray(at));
    const member = await runDecoder(createInflateRaw(), body.subarray(start), patience, sizeOf(parts), body.length);
    if (member.kind === "excess") return { ...partOf([...parts, ...member.parts], member.problem), isStopped: true };
    const trailer = start + member.taken;
    if (member.kind !== "ended" || !isIntact(member.parts, body.subarray(trailer))) return null;
    parts.push(...member.parts);
    at = trailer + TRAILER_LENGTH;
  }
  return at === 0 || isGzip(body.subarray(at)) ? null : withRest(parts, body.subarray(at));
}

function partOf(parts: readonly Buffer[], problem: string | null): DecodedBuffer {
  const bytes = Buffer.concat(parts);
  return { bytes, total: bytes.length, problem };
}

function sizeOf(parts: readonly Buffer[]): Bytes {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

/* The header and trailer around a member's deflate stream (RFC 1952, 2.3). */

/** The trailer holds the CRC-32 and the length of the decoded bytes, in four bytes each. */
const TRAILER_LENGTH: Bytes = 8;

const FIXED_LENGTH: Bytes = 10;

/** Whether these bytes begin a member. Method 8 (deflate) is the only one defined. */
function isGzip([first, second, method]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b && method === 8;
}

/** Length of the header before the deflate stream. */
function gzipHeaderLength(member: Buffer): Bytes {
  const flags = member[3] ?? 0;
  let at = FIXED_LENGTH;
  if ((flags & 4) !== 0) at += 2 + (member[at] ?? 0) + 256 * (member[at + 1] ?? 0);
  // The file name and the comment end with a zero byte each.
  for (const flag of [8, 16]) if ((flags & flag) !== 0) at = endOf(member, at);
  return (flags & 2) === 0 ? at : at + 2;
}

function endOf(member: Buffer, from: number): number {
  const zero = member.indexOf(0, from);
  return zero < 0 ? member.length : zero + 1;
}

/** Whether the decoded parts match `trailer`, which follows the deflate stream. */
function isIntact(parts: readonly Buffer[], trailer: Buffer): boolean {
  if (trailer.length < TRAILER_LENGTH) return false;
  let [checksum, length] = [0, 0];
  for (const part of parts) {
    checksum = crc32(part, checksum);
    length += part.length;
  }
  return trailer.readUInt32LE(0) === checksum && trailer.readUInt32LE(4) === length % 2 ** 32;
}
