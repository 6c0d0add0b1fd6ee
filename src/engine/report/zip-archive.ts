import { failure, type Result, success } from "../model/result.ts";
import type { Bytes } from "../model/units.ts";
import { shownUtf8 } from "../quoting/utf8.ts";

/** A file in the form in which the archive stores it. */
export interface ZippedFile {
  readonly bytes: Uint8Array;
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
export function isZip(start: Uint8Array): boolean {
  return start.length >= 4 && [LOCAL, END].includes(viewOf(start).getUint32(0, true));
}

/**
 * The longest name that is read. Longer ones name no file: Playwright's have some 50 bytes, those of HAR files up to
 * 255.
 */
const LONGEST_NAME: Bytes = 1_024;
/** How many names are read between two pauses. */
const NAMES_READ = 500;

/** The largest unpacked size of a file, other than a HAR file, and of all of them together. */
const MOST_FILE: Bytes = 10 * 1024 * 1024;
const MOST_FILES: Bytes = 1024 * 1024 * 1024;

const SMALL: Bytes = 1024 * 1024;
const MOST_GROWTH = 200;

/** The largest unpacked size of a file, other than a HAR file, that has this size in the archive. */
export function mostUnpacked(packed: Bytes): Bytes {
  return Math.min(MOST_FILE, Math.max(SMALL, packed * MOST_GROWTH));
}

/** Unpacks a file in deflate without a header (RFC 1951), to `mostUnpacked` bytes. A problem is a phrase. */
export type Inflate = (bytes: Uint8Array) => Result<Uint8Array>;

/** An archive in memory. Nothing is written, so names of files are keys and never paths. */
export class ZipArchive {
  readonly #archive: Uint8Array;
  readonly #inflate: Inflate;
  /** By the file's name, the offset of its entry in the archive's list. Of two files with one name, the last counts. */
  readonly #byName = new Map<string, number>();
  /** The offsets of HAR files' entries, also of those with one name. */
  readonly #hars: number[] = [];
  /** Files that were unpacked ahead, by the offsets of their entries. */
  readonly #ahead = new Map<number, Result<Uint8Array>>();
  #unpacked: Bytes = 0;

  private constructor(archive: Uint8Array, inflate: Inflate) {
    this.#inflate = inflate;
    this.#archive = archive;
  }

  /** Reads the archive's list. Yields often, so that the caller can pause. */
  static *open(archive: Uint8Array, inflate: Inflate): Generator<void, Result<ZipArchive>, undefined> {
    const end = endOf(archive);
    if (end === null) return NO_ZIP;
    const view = viewOf(archive);
    const count = view.getUint16(end + 10, true);
    let at = view.getUint32(end + 16, true);
    const opened = new ZipArchive(archive, inflate);
    for (let index = 0; index < count; index += 1) {
      if (!hasRecord(archive, at, ENTRY, ENTRY_LENGTH)) return NO_ZIP;
      const nameLength = view.getUint16(at + 28, true);
      if (nameLength <= LONGEST_NAME)
        opened.#add(shownUtf8(archive.subarray(at + ENTRY_LENGTH, at + ENTRY_LENGTH + nameLength)), at);
      at += ENTRY_LENGTH + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
      if (index % NAMES_READ === NAMES_READ - 1) yield;
    }
    return success(opened);
  }

  /** The archive's only file whose name ends with ".har". */
  har(): Result<ZippedFile> {
    const [first, ...others] = this.#hars;
    if (others.length > 0) return SEVERAL;
    return first === undefined ? NO_HAR : fileAt(this.#archive, first);
  }

  /** Unpacks all files but the HAR file, where nothing unpacks at once: `read` has them afterwards. */
  async unpackAhead(inflate: (bytes: Uint8Array) => Promise<Result<Uint8Array>>): Promise<void> {
    let size = 0;
    for (const [name, at] of this.#byName) {
      const file = isHar(name) ? NO_HAR : fileAt(this.#archive, at);
      if (!file.ok || !file.value.isDeflated) continue;
      const unpacked = size > MOST_FILES ? TOO_MUCH : await inflate(file.value.bytes);
      size += unpacked.ok ? unpacked.value.length : 0;
      this.#ahead.set(at, unpacked);
    }
  }

  /** Unpacks a small file, such as a body that Playwright attached to the HAR file. A problem is a phrase. */
  read(name: string): Result<Uint8Array> {
    const entry = this.#byName.get(name);
    if (entry === undefined) return failure("the zip archive has no such file");
    const file = fileAt(this.#archive, entry);
    if (!file.ok) return DAMAGED;
    const { bytes, isDeflated } = file.value;
    if (!isDeflated && bytes.length > MOST_FILE) return TOO_LARGE;
    if (this.#unpacked > MOST_FILES) return TOO_MUCH;
    const unpacked = isDeflated ? (this.#ahead.get(entry) ?? this.#inflate(bytes)) : success(bytes);
    // A file that cannot be unpacked counts as the largest one: finding that out may take as long.
    this.#unpacked += unpacked.ok ? unpacked.value.length : MOST_FILE;
    return unpacked.ok && this.#unpacked > MOST_FILES ? TOO_MUCH : unpacked;
  }

  #add(name: string, at: number): void {
    this.#byName.set(name, at);
    if (isHar(name)) this.#hars.push(at);
  }
}

/** The problem of a file that is larger than the limits allow. */
export const TOO_LARGE = failure("unpacked, it is larger than 10 MB, or 200 times its size in the zip archive");
/** The problem of a file that cannot be unpacked. */
export const DAMAGED = failure("it is damaged or cannot be unpacked");
const TOO_MUCH = failure("the bodies before it have 1 GB already");

/** Names that begin with "._" are not HAR files: they hold macOS's file attributes. */
function isHar(name: string): boolean {
  const file = name.slice(name.lastIndexOf("/") + 1);
  return /\.har$/i.test(file) && !file.startsWith("._");
}

/** Offset of the end record, which a comment of any length may follow; `null` if there is no such record. */
function endOf(archive: Uint8Array): number | null {
  const view = viewOf(archive);
  const last = archive.length - END_LENGTH;
  for (let at = last; at >= Math.max(0, last - LONGEST_COMMENT); at -= 1)
    if (view.getUint32(at, true) === END) return at;
  return null;
}

/** `entry`: offset of the file's entry in the archive's list. */
function fileAt(archive: Uint8Array, entry: number): Result<ZippedFile> {
  const view = viewOf(archive);
  const method = view.getUint16(entry + 10, true);
  const isEncrypted = (view.getUint16(entry + 8, true) & ENCRYPTED) !== 0;
  const length = view.getUint32(entry + 20, true);
  const local = view.getUint32(entry + 42, true);
  if (isEncrypted || (method !== DEFLATED && method !== STORED)) return UNREADABLE;
  if (!hasRecord(archive, local, LOCAL, LOCAL_LENGTH)) return NO_ZIP;
  const start = local + LOCAL_LENGTH + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  if (start + length > archive.length) return NO_ZIP;
  return success({ bytes: archive.subarray(start, start + length), isDeflated: method === DEFLATED });
}

function hasRecord(archive: Uint8Array, at: number, signature: number, length: Bytes): boolean {
  return at + length <= archive.length && viewOf(archive).getUint32(at, true) === signature;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
