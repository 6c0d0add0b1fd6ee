import { failure, type Result, success } from "../../../src/engine/model/result.ts";
import type { Bytes } from "../../../src/engine/model/units.ts";

/** A file in the form in which the archive stores it. */
export interface ZippedFile {
  readonly bytes: Buffer;
  /** True if the file is compressed with deflate (RFC 1951), false if it is not compressed. */
  readonly isDeflated: boolean;
}

/* Signatures and lengths of the records in a zip archive (APPNOTE 4.3). */
const END = 0x06054b50;
const END_LENGTH: Bytes = 22;
const LONGEST_COMMENT: Bytes = 0xffff;
const ENTRY = 0x02014b50;
const ENTRY_LENGTH: Bytes = 46;
const LOCAL = 0x04034b50;
const LOCAL_LENGTH: Bytes = 30;

const DEFLATED = 8;
const STORED = 0;
const ENCRYPTED = 1;

const NO_ZIP = failure("This zip archive is damaged or was cut off.");
const NO_HAR = failure("This zip archive contains no .har file.");
const SEVERAL = failure("This zip archive contains more than one .har file. Unpack it and import them one by one.");
const UNREADABLE = failure(
  "Weir cannot unpack this zip archive's .har file. Unpack it yourself and import the .har file.",
);

/** Whether these four bytes begin an archive: the record of its first file, or of its end if it is empty. */
export function isZip(start: Buffer): boolean {
  return start.length >= 4 && [LOCAL, END].includes(start.readUInt32LE(0));
}

/**
 * The archive's only file whose name ends with ".har". Skips names that begin with "._": such files hold macOS's file
 * attributes.
 */
export function harIn(archive: Buffer): Result<ZippedFile> {
  const end = endOf(archive);
  if (end === null) return NO_ZIP;
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  const found: number[] = [];
  for (let index = 0; index < count; index += 1) {
    if (!hasRecord(archive, at, ENTRY, ENTRY_LENGTH)) return NO_ZIP;
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString("utf8", at + ENTRY_LENGTH, at + ENTRY_LENGTH + nameLength);
    const file = name.slice(name.lastIndexOf("/") + 1);
    if (/\.har$/i.test(file) && !file.startsWith("._")) found.push(at);
    at += ENTRY_LENGTH + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  const [first, ...others] = found;
  if (others.length > 0) return SEVERAL;
  return first === undefined ? NO_HAR : fileAt(archive, first);
}

/** Offset of the end record, which a comment of any length may follow; `null` if there is no such record. */
function endOf(archive: Buffer): number | null {
  const last = archive.length - END_LENGTH;
  for (let at = last; at >= Math.max(0, last - LONGEST_COMMENT); at -= 1)
    if (archive.readUInt32LE(at) === END) return at;
  return null;
}

/** `entry`: offset of the file's entry in the archive's list. */
function fileAt(archive: Buffer, entry: number): Result<ZippedFile> {
  const method = archive.readUInt16LE(entry + 10);
  const isEncrypted = (archive.readUInt16LE(entry + 8) & ENCRYPTED) !== 0;
  const length = archive.readUInt32LE(entry + 20);
  const local = archive.readUInt32LE(entry + 42);
  if (isEncrypted || (method !== DEFLATED && method !== STORED)) return UNREADABLE;
  if (!hasRecord(archive, local, LOCAL, LOCAL_LENGTH)) return NO_ZIP;
  const start = local + LOCAL_LENGTH + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  if (start + length > archive.length) return NO_ZIP;
  return success({ bytes: archive.subarray(start, start + length), isDeflated: method === DEFLATED });
}

function hasRecord(archive: Buffer, at: number, signature: number, length: Bytes): boolean {
  return at + length <= archive.length && archive.readUInt32LE(at) === signature;
}
