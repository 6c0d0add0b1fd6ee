import { closeSync, existsSync, openSync, readSync, writeSync, writevSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { failure, type Result, success } from "../../../src/engine/model/result.ts";
import { parsedJson } from "./json.ts";
import { codeOf, errorText, TO_READ } from "./private-file.ts";

/** The segment number of bytes that were dropped because memory was full and the disk could not be written. */
export const NOWHERE = 0;

/** Where a piece of a body is stored. */
export interface Extent {
  readonly segment: number;
  readonly offset: number;
  readonly length: number;
  /** CRC-32 of the bytes, since a crash may leave a hole in the file. */
  readonly check: number;
}

/** A longer extent means a damaged database: a piece or message is at most as long as the body cap allows, 100 MiB. */
const LONGEST_EXTENT = 128 * 1024 * 1024;

/** Bytes that a `ReadAhead` reads at once. */
const AHEAD = 256 * 1024;

/** Caches the bytes read last and those after them, since bodies are mostly read in the order of writing. */
export class ReadAhead {
  #path = "";
  #offset = 0;
  #bytes: Buffer = Buffer.alloc(0);

  /** The extent's bytes; `null` if they are not cached, or if they do not match the checksum. */
  find(path: string, { offset, length, check }: Extent): Buffer | null {
    const from = offset - this.#offset;
    if (path !== this.#path || from < 0 || from + length > this.#bytes.length) return null;
    const bytes = this.#bytes.subarray(from, from + length);
    return crc32(bytes) === check ? bytes : null;
  }

  keep(path: string, offset: number, bytes: Buffer): void {
    if (bytes.length > AHEAD) return;
    this.#path = path;
    this.#offset = offset;
    this.#bytes = bytes;
  }
}

/**
 * Reads at most `count` bytes of the joined extents, from `from`. Each extent read is checked as a whole. `extents`:
 * `null` if they could not be decoded.
 */
export function readBytes(
  folder: string,
  extents: readonly Extent[] | null,
  from: number,
  count: number,
  ahead: ReadAhead = new ReadAhead(),
): Result<Buffer> {
  if (extents === null) return failure("its place on disk is damaged");
  const parts: Buffer[] = [];
  let start = 0;
  for (const extent of extents) {
    const end = start + extent.length;
    if (end > from && start < from + count) {
      const part = readExtent(folder, extent, ahead);
      if (!part.ok) return part;
      parts.push(part.value.subarray(Math.max(0, from - start), from + count - start));
    }
    start = end;
  }
  return success(parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts));
}

/**
 * Encodes extents as one JSON array, four numbers each; `null` if there are none. JSON, because a small typed array
 * would cost more than the rest of the row.
 */
export function encodedExtents(extents: readonly Extent[]): string | null {
  if (extents.length === 0) return null;
  return JSON.stringify(extents.flatMap(({ segment, offset, length, check }) => [segment, offset, length, check]));
}

/** Decodes what `encodedExtents` returned; `null` if it is damaged. */
export function decodedExtents(stored: unknown): readonly Extent[] | null {
  return extentsOf(typeof stored === "string" ? parsedJson(stored) : null);
}

/** Extents from an array with four numbers for each; `null` if it is damaged. */
export function extentsOf(numbers: unknown): readonly Extent[] | null {
  if (numbers === null) return [];
  if (!Array.isArray(numbers) || numbers.length % 4 !== 0) return null;
  const extents: Extent[] = [];
  for (let at = 0; at < numbers.length; at += 4) {
    const [segment, offset, length, check] = numbers.slice(at, at + 4);
    if (![segment, offset, length, check].every((number) => Number.isSafeInteger(number) && number >= 0)) return null;
    extents.push({ segment, offset, length, check });
  }
  return extents;
}

/** Bytes of all extents; 0 if these are `null` (damaged). */
export function lengthOf(extents: readonly Extent[] | null): number {
  return (extents ?? []).reduce((sum, extent) => sum + extent.length, 0);
}

/** Whether all segments of these extents still exist. */
export function areKept(folder: string, extents: readonly Extent[]): boolean {
  const segments = new Set(extents.map(({ segment }) => segment));
  return [...segments].every((segment) => existsSync(segmentPath(folder, segment)));
}

function readExtent(folder: string, extent: Extent, ahead: ReadAhead): Result<Buffer> {
  if (extent.segment === NOWHERE) return failure("the disk could not be written when it was captured");
  try {
    return success(readSegment(segmentPath(folder, extent.segment), extent, ahead));
  } catch (error) {
    return failure(
      codeOf(error) === "ENOENT" ? "it was deleted, because the session had too many bytes" : errorText(error),
    );
  }
}

/** Reads an extent. Throws the system's error, or an error if the extent is damaged. */
function readSegment(path: string, extent: Extent, ahead: ReadAhead): Buffer {
  const { offset, length, check } = extent;
  if (length > LONGEST_EXTENT) throw new Error("its place on disk is damaged");
  const known = ahead.find(path, extent);
  if (known !== null) return known;
  const file = openSync(path, TO_READ);
  try {
    const room = Buffer.allocUnsafe(Math.max(length, AHEAD));
    const read = room.subarray(0, readSync(file, room, 0, room.length, offset));
    const bytes = read.subarray(0, length);
    if (bytes.length !== length || crc32(bytes) !== check) throw new Error("its bytes on disk are damaged");
    ahead.keep(path, offset, read);
    return bytes;
  } finally {
    closeSync(file);
  }
}

/**
 * Writes `parts` one after the other from `offset`. Throws the system's error. On a nearly full disk, writev writes
 * only some of the bytes and reports no error; the next write fails.
 */
export function writeParts(file: number, parts: readonly Uint8Array[], offset: number): void {
  let taken = writevSync(file, parts, offset);
  let start = offset;
  for (const part of parts) {
    let written = Math.min(taken, part.length);
    taken -= written;
    while (written < part.length) written += writeSync(file, part, written, part.length - written, start + written);
    start += part.length;
  }
}

const SEGMENT_NAME = /^bodies-(\d{4,})\.seg$/;

/** The segment number in a file name; `null` if the file is no segment. */
export function segmentOf(name: string): number | null {
  const digits = SEGMENT_NAME.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Path of a segment in a session's folder. */
export function segmentPath(folder: string, segment: number): string {
  return join(folder, `bodies-${String(segment).padStart(4, "0")}.seg`);
}
