import { closeSync, existsSync, openSync, readSync, writeSync, writevSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { parsedJson } from "./json.ts";
import { codeOf, TO_READ, wordsOf } from "./private-file.ts";

/** Where a run of bytes lies in a file. */
export interface Place {
  readonly offset: number;
  readonly length: number;
  /** CRC-32: a crash may leave a hole where bytes should be. */
  readonly check: number;
}

/** The segment of what lies nowhere, because the disk could not be written and memory was full. */
export const NOWHERE = 0;

/** Where a run of a body's bytes lies. */
export interface Extent extends Place {
  readonly segment: number;
}

/** A body piece or message has at most the body cap's 100 MiB; a longer extent comes from a damaged database. */
const LONGEST_EXTENT = 128 * 1024 * 1024;

export type BodyPart =
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  /** A sentence's worth of why they are not there. */
  | { readonly kind: "gone"; readonly reason: string };

/**
 * Bytes `from` … of what the extents hold in their order, at most `count`; whole extents are checked before any is given.
 * `extents` `null`: they could not be decoded.
 */
export function readBytes(folder: string, extents: readonly Extent[] | null, from: number, count: number): BodyPart {
  if (extents === null) return gone("its place on disk is damaged");
  const parts: Buffer[] = [];
  let start = 0;
  for (const extent of extents) {
    const end = start + extent.length;
    if (end > from && start < from + count) {
      const part = readExtent(folder, extent);
      if (part.kind === "gone") return part;
      parts.push(part.bytes.subarray(Math.max(0, from - start), from + count - start));
    }
    start = end;
  }
  return { kind: "bytes", bytes: parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts) };
}

/**
 * Four numbers per extent in one array, in JSON: a small typed array would cost more than the rest of the row. `null` for
 * none.
 */
export function encodedExtents(extents: readonly Extent[]): string | null {
  if (extents.length === 0) return null;
  return JSON.stringify(extents.flatMap(({ segment, offset, length, check }) => [segment, offset, length, check]));
}

/** Of a column that holds `encodedExtents`; `null` for what is damaged. */
export function decodedExtents(stored: unknown): readonly Extent[] | null {
  return extentsOf(typeof stored === "string" ? parsedJson(stored) : null);
}

/** Of four numbers per extent in one array; `null` for what is damaged. */
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

/** Bytes that the extents hold together; none where they are damaged. */
export function lengthOf(extents: readonly Extent[] | null): number {
  return (extents ?? []).reduce((sum, extent) => sum + extent.length, 0);
}

/** Whether every segment that holds some of them is there. */
export function areKept(folder: string, extents: readonly Extent[]): boolean {
  const segments = new Set(extents.map(({ segment }) => segment));
  return [...segments].every((segment) => existsSync(segmentPath(folder, segment)));
}

function readExtent(folder: string, extent: Extent): BodyPart {
  if (extent.segment === NOWHERE) return gone("the disk could not be written when it was captured");
  try {
    return { kind: "bytes", bytes: readPlace(segmentPath(folder, extent.segment), extent) };
  } catch (error) {
    return gone(codeOf(error) === "ENOENT" ? "it is no longer kept: the session held too many bytes" : wordsOf(error));
  }
}

/** The bytes that lie there. Throws what the system says, and where they are not those that were written. */
export function readPlace(path: string, { offset, length, check }: Place): Buffer {
  if (length > LONGEST_EXTENT) throw new Error("its place on disk is damaged");
  const file = openSync(path, TO_READ);
  try {
    const bytes = Buffer.alloc(length);
    if (readSync(file, bytes, 0, length, offset) !== length || crc32(bytes) !== check) {
      throw new Error("its bytes on disk are damaged");
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}

/**
 * Writes parts one after the other from that offset on. Throws what the system says: of a disk that is nearly full it takes a
 * part, and only says why of the rest.
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

/** The number of the segment whose file has that name; `null`: it is none. */
export function segmentOf(name: string): number | null {
  const digits = SEGMENT_NAME.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Where that segment of a session lies. */
export function segmentPath(folder: string, segment: number): string {
  return join(folder, `bodies-${String(segment).padStart(4, "0")}.seg`);
}
