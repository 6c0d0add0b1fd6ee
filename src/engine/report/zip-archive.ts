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

type Entry = readonly [name: string, at: number];

/** An archive in memory. Nothing is written, so names of files are keys and never paths. */
export class ZipArchive {
  readonly #archive: Uint8Array;
  readonly #inflate: Inflate;
  /** The files' names, with the offsets of their entries in the archive's list. */
  readonly #entries: readonly Entry[];
  /** The same by name. Of two files with one name, the last counts. */
  readonly #byName: ReadonlyMap<string, number>;
  /** Files that were unpacked ahead, by the offsets of their entries. */
  readonly #ahead = new Map<number, Result<Uint8Array>>();
  #unpacked: Bytes = 0;

  private constructor(archive: Uint8Array, entries: readonly Entry[], inflate: Inflate) {
    this.#inflate = inflate;
    this.#archive = archive;
    this.#entries = entries;
    this.#byName = new Map(entries);
  }

  static open(archive: Uint8Array, inflate: Inflate): Result<ZipArchive> {
    const end = endOf(archive);
    if (end === null) return NO_ZIP;
    const view = viewOf(archive);
    const count = view.getUint16(end + 10, true);
    let at = view.getUint32(end + 16, true);
    const entries: Entry[] = [];
    for (let index = 0; index < count; index += 1) {
      if (!hasRecord(archive, at, ENTRY, ENTRY_LENGTH)) return NO_ZIP;
      const nameLength = view.getUint16(at + 28, true);
      entries.push([shownUtf8(archive.subarray(at + ENTRY_LENGTH, at + ENTRY_LENGTH + nameLength)), at]);
      at += ENTRY_LENGTH + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    }
    return success(new ZipArchive(archive, entries, inflate));
  }

  /**
   * The archive's only file whose name ends with ".har". Skips names that begin with "._": such files hold macOS's file
   * attributes.
   */
  har(): Result<ZippedFile> {
    const found = this.#entries.filter(([name]) => isHar(name));
    const [first, ...others] = found;
    if (others.length > 0) return SEVERAL;
    return first === undefined ? NO_HAR : fileAt(this.#archive, first[1]);
  }

  /** Unpacks all files but the HAR file, where nothing unpacks at once: `read` has them afterwards. */
  async unpackAhead(inflate: (bytes: Uint8Array) => Promise<Result<Uint8Array>>): Promise<void> {
    for (const [name, at] of this.#byName) {
      const file = isHar(name) ? NO_HAR : fileAt(this.#archive, at);
      if (file.ok && file.value.isDeflated) this.#ahead.set(at, await inflate(file.value.bytes));
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
    const unpacked = isDeflated ? (this.#ahead.get(entry) ?? this.#inflate(bytes)) : success(bytes);
    if (!unpacked.ok) return unpacked;
    this.#unpacked += unpacked.value.length;
    return this.#unpacked > MOST_FILES ? TOO_MUCH : unpacked;
  }
}

/** The problem of a file that is larger than the limits allow. */
export const TOO_LARGE = failure("unpacked, it is larger than 10 MB, or 200 times its size in the zip archive");
/** The problem of a file that cannot be unpacked. */
export const DAMAGED = failure("it is damaged or cannot be unpacked");
const TOO_MUCH = failure("the bodies before it have 1 GB already");

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
