import { crc32 } from "node:zlib";
import type { Bytes } from "../../../src/engine/model/units.ts";

/* The header and trailer around a member's deflate stream (RFC 1952, 2.3). */

/** The trailer holds the CRC-32 and the length of the decoded bytes, in four bytes each. */
export const TRAILER_LENGTH: Bytes = 8;

const FIXED_LENGTH: Bytes = 10;

/** Whether these bytes begin a member. Method 8 (deflate) is the only one defined. */
export function isGzip([first, second, method]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b && method === 8;
}

/** Length of the header before the deflate stream. */
export function gzipHeaderLength(member: Buffer): Bytes {
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
export function isIntact(parts: readonly Buffer[], trailer: Buffer): boolean {
  if (trailer.length < TRAILER_LENGTH) return false;
  let [checksum, length] = [0, 0];
  for (const part of parts) {
    checksum = crc32(part, checksum);
    length += part.length;
  }
  return trailer.readUInt32LE(0) === checksum && trailer.readUInt32LE(4) === length % 2 ** 32;
}
