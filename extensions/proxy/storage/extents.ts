import { closeSync, existsSync, openSync, readSync, writeSync, writevSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { parsedJson } from "./json.ts";
import { codeOf, errorText, TO_READ } from "./private-file.ts";

/** The segment number of dropped bytes: the disk could not be written and memory was full. */
export const NOWHERE = 0;

/** The place of a run of a body's bytes. */
export interface Extent {
  readonly segment: number;
  readonly offset: number;
  readonly length: number;
  /** CRC-32: a crash may leave a hole in the file. */
  readonly check: number;
}

/** A body piece or message has at most the body cap's 100 MiB; a longer extent means a damaged database. */
const LONGEST_EXTENT = 128 * 1024 * 1024;

/** Bytes that a `ReadAhead` reads at once. Default; not from a specification. */
const AHEAD = 256 * 1024;

export type BodyPart =
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  /** A phrase why the bytes are absent. */
  | { readonly kind: "gone"; readonly reason: string };

/** The latest bytes read and those after them: bodies are mostly read in the order in which they were written. */
export class ReadAhead {
  #path = "";
  #offset = 0;
  #bytes: Buffer = Buffer.alloc(0);

  /** The extent's bytes; `null` where they were not read, or are others by now. */
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
 * Bytes `from` … of the extents in order, at most `count`; each extent read is checked as a whole. `extents` `null`:
 * they could not be decoded.
 */
export function readBytes(
  folder: string,
  extents: readonly Extent[] | null,
  from: number,
  count: number,
  ahead: ReadAhead = new ReadAhead(),
): BodyPart {
  if (extents === null) return gone("its place on disk is damaged");
  const parts: Buffer[] = [];
  let start = 0;
  for (const extent of extents) {
    const end = start + extent.length;
    if (end > from && start < from + count) {
      const part = readExtent(folder, extent, ahead);
      if (part.kind === "gone") return part;
      parts.push(part.bytes.subarray(Math.max(0, from - start), from + count - start));
    }
    start = end;
  }
  return { kind: "bytes", bytes: parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts) };
}

/**
 * Four numbers per extent in one JSON array, because a small typed array would cost more than the rest of the row.
 * `null` for none.
 */
export function encodedExtents(extents: readonly Extent[]): string | null {
  if (extents.length === 0) return null;
  return JSON.stringify(extents.flatMap(({ segment, offset, length, check }) => [segment, offset, length, check]));
}

/** Decodes a column of `encodedExtents`; `null` if it is damaged. */
export function decodedExtents(stored: unknown): readonly Extent[] | null {
  return extentsOf(typeof stored === "string" ? parsedJson(stored) : null);
}

/** From four numbers per extent in one array; `null` if it is damaged. */
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

/** Bytes of all extents; 0 where they are damaged. */
export function lengthOf(extents: readonly Extent[] | null): number {
  return (extents ?? []).reduce((sum, extent) => sum + extent.length, 0);
}

/** Whether all their segments still exist. */
export function areKept(folder: string, extents: readonly Extent[]): boolean {
  const segments = new Set(extents.map(({ segment }) => segment));
  return [...segments].every((segment) => existsSync(segmentPath(folder, segment)));
}

function readExtent(folder: string, extent: Extent, ahead: ReadAhead): BodyPart {
  if (extent.segment === NOWHERE) return gone("the disk could not be written when it was captured");
  try {
    return { kind: "bytes", bytes: readSegment(segmentPath(folder, extent.segment), extent, ahead) };
  } catch (error) {
    return gone(
      codeOf(error) === "ENOENT" ? "it is no longer kept: the session held too many bytes" : errorText(error),
    );
  }
}

/** Throws the system's error, or an error if the checksum does not match. */
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
 * Writes parts one after the other from that offset on. Throws the system's error: on a nearly full disk, writev writes
 * a part, and only the next write fails.
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

function gone(reason: string): BodyPart {
  return { kind: "gone", reason };
}

const SEGMENT_NAME = /^bodies-(\d{4,})\.seg$/;

/** The segment number of that file name; `null` for other names. */
export function segmentOf(name: string): number | null {
  const digits = SEGMENT_NAME.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Path of a segment in a session's folder. */
export function segmentPath(folder: string, segment: number): string {
  return join(folder, `bodies-${String(segment).padStart(4, "0")}.seg`);
}
