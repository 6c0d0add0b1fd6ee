import { failure, type Problem, type Result, success } from "../model/result.ts";
import type { Bytes } from "../model/units.ts";
import { joinedBytes } from "../quoting/utf8.ts";
import { DAMAGED, type Inflate, isZip, mostUnpacked, TOO_LARGE, ZipArchive } from "./zip-archive.ts";

/** Decompresses a file in pieces. */
export interface Unpacker {
  /** Why the file cannot be unpacked, as a sentence; `null` while nothing is wrong. */
  readonly problem: Problem | null;
  /** Decompresses a piece; ends early once `problem` is set. `last`: these bytes end the file. */
  unpack(bytes: Uint8Array, last: boolean): AsyncIterable<Uint8Array>;
  close(): void;
}

/** Starts to decompress gzip (RFC 1952), or deflate without a header (RFC 1951). */
export type OpensUnpacker = (format: "gzip" | "deflate-raw") => Unpacker;

/** The number of first bytes that identify the kind of a file. */
const SIGNATURE_LENGTH = 4;

/** The largest zip archive. An archive is held in memory, since the list of its files is at its end. */
const LARGEST_ZIP: Bytes = 128 * 1024 * 1024;

const LARGE_ZIP = "This zip archive is larger than 128 MB. Unpack it and import the .har file.";

const ALONE = failure("a .har file alone does not hold it; record with a path that ends with .zip");

/** The most bytes that are decoded at once. */
const PART: Bytes = 64 * 1024;

interface UnreadBodies {
  readonly count: number;
  readonly first: string;
}

/**
 * Decodes the text of a HAR file from pieces: UTF-8 or UTF-16 of either byte order (RFC 2781), plain or in gzip, or in
 * a zip archive as Playwright writes it.
 */
export class HarText {
  readonly #opens: OpensUnpacker;
  readonly #inflate: Inflate | null;
  #start: Uint8Array = new Uint8Array(0);
  #unpacker: Unpacker | null = null;
  /** The zip archive received so far. */
  #zip: Uint8Array[] | null = null;
  #zipLength: Bytes = 0;
  /** The unpacked archive; `null` if the file is none. */
  #archive: ZipArchive | null = null;
  #unread: UnreadBodies = { count: 0, first: "" };
  #decoder: TextDecoder | null = null;
  #isKnown = false;
  #problem: string | null = null;

  /**
   * `inflate`: unpacks a body beside the HAR file in a zip archive at once; `null`: `opens` does, all of them ahead.
   */
  constructor(opens: OpensUnpacker, inflate: Inflate | null = null) {
    this.#inflate = inflate;
    this.#opens = opens;
  }

  /** Why the file cannot be read, as a sentence; `null` while nothing is wrong. */
  get problem(): Problem | null {
    return this.#problem;
  }

  /**
   * Yields the text of these bytes in parts; ends early once `problem` is set. Parts are small and may be empty, so
   * that the caller can pause between them. `last`: these bytes end the file.
   */
  async *decode(bytes: Uint8Array, last: boolean): AsyncGenerator<string> {
    const piece = this.#recognised(bytes, last);
    if (piece === null || this.#problem !== null) return;
    if (this.#zip !== null) return yield* this.#unzipped(this.#zip, piece, last);
    if (this.#unpacker === null) return yield* this.#partsOf(piece, last);
    yield* this.#unpacked(this.#unpacker, piece, last);
  }

  /**
   * A body that the HAR file names by `_file` (Playwright, `recordHar` with a path that ends with .zip). `null` if it
   * cannot be read, which `unreadBodies` then tells.
   */
  readonly attached = (name: string): Uint8Array | null => {
    const read = this.#archive === null ? ALONE : this.#archive.read(name);
    if (read.ok) return read.value;
    const { count, first } = this.#unread;
    this.#unread = {
      count: count + 1,
      first: count === 0 ? `${JSON.stringify(name.slice(0, 200))}: ${read.problem}` : first,
    };
    return null;
  };

  /** How many bodies could not be read, with the first of them, as a sentence; `null` if all could. */
  get unreadBodies(): string | null {
    const { count, first } = this.#unread;
    if (count === 0) return null;
    return `${count === 1 ? "1 body" : `${count} bodies`} could not be read. ${first}.`;
  }

  /** Closes the decompressor. */
  close(): void {
    this.#unpacker?.close();
  }

  /**
   * Finds out the kind of file from its first bytes, and prepares to unpack it. Returns the bytes to decode; `null`
   * while too few have arrived.
   */
  #recognised(bytes: Uint8Array, last: boolean): Uint8Array | null {
    if (this.#isKnown) return bytes;
    const piece = joinedBytes([this.#start, bytes]);
    this.#isKnown = piece.length >= SIGNATURE_LENGTH || last;
    this.#start = this.#isKnown ? new Uint8Array(0) : piece;
    if (!this.#isKnown) return null;
    const [first, second] = piece;
    if (first === 0x1f && second === 0x8b) this.#unpacker = this.#opens("gzip");
    if (isZip(piece)) this.#zip = [];
    return piece;
  }

  async *#unzipped(held: Uint8Array[], piece: Uint8Array, last: boolean): AsyncGenerator<string> {
    held.push(piece.slice());
    this.#zipLength += piece.length;
    if (this.#zipLength > LARGEST_ZIP) this.#problem = LARGE_ZIP;
    if (!last || this.#problem !== null) return;
    const joined = new Uint8Array(this.#zipLength);
    let at = 0;
    for (const one of held) {
      joined.set(one, at);
      at += one.length;
      yield "";
    }
    this.#zip = [];
    const opening = ZipArchive.open(joined, this.#inflate ?? (() => DAMAGED));
    let step = opening.next();
    for (; step.done !== true; step = opening.next()) yield "";
    const archive = step.value;
    const file = archive.ok ? archive.value.har() : archive;
    if (archive.ok) this.#archive = archive.value;
    if (archive.ok && file.ok && this.#inflate === null)
      await archive.value.unpackAhead((bytes) => inflatedBy(this.#opens("deflate-raw"), bytes));
    if (!file.ok) this.#problem = file.problem;
    else if (!file.value.isDeflated) yield* this.#partsOf(file.value.bytes, true);
    else {
      this.#unpacker = this.#opens("deflate-raw");
      yield* this.#unpacked(this.#unpacker, file.value.bytes, true);
    }
  }

  async *#unpacked(unpacker: Unpacker, piece: Uint8Array, last: boolean): AsyncGenerator<string> {
    for await (const part of unpacker.unpack(piece, last)) yield this.#decoded(part, false);
    this.#problem = unpacker.problem;
    if (last && this.#problem === null) yield this.#decoded(new Uint8Array(0), true);
  }

  *#partsOf(bytes: Uint8Array, last: boolean): Generator<string> {
    let at = 0;
    for (; at + PART < bytes.length; at += PART) yield this.#decoded(bytes.subarray(at, at + PART), false);
    yield this.#decoded(bytes.subarray(at), last);
  }

  #decoded(bytes: Uint8Array, last: boolean): string {
    if (this.#decoder !== null) return this.#decoder.decode(bytes, { stream: !last });
    this.#start = joinedBytes([this.#start, bytes]);
    if (this.#start.length < SIGNATURE_LENGTH && !last) return "";
    this.#decoder = new TextDecoder(encodingOf(this.#start));
    return this.#decoder.decode(this.#start, { stream: !last });
  }
}

/** Unpacks a body beside a HAR file, within its limits. */
async function inflatedBy(unpacker: Unpacker, bytes: Uint8Array): Promise<Result<Uint8Array>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of unpacker.unpack(bytes, true)) {
    parts.push(part);
    size += part.length;
    if (size > mostUnpacked(bytes.length)) break;
  }
  unpacker.close();
  if (size > mostUnpacked(bytes.length)) return TOO_LARGE;
  return unpacker.problem === null ? success(joinedBytes(parts)) : DAMAGED;
}

/**
 * The encoding, by the byte order mark. Without a mark: by the zero byte before or after the first character, which is
 * ASCII.
 */
function encodingOf([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  return (first === 0xfe && second === 0xff) || first === 0 ? "utf-16be" : "utf-8";
}
