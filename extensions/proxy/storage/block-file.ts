import { closeSync, fdatasyncSync, fstatSync, openSync } from "node:fs";
import { join } from "node:path";
import { constants as coding, crc32, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { type Place, readPlace, writeParts } from "./extents.ts";
import { PRIVATE_FILE, TO_WRITE } from "./private-file.ts";

/*
 * Blocks of exchanges lie one after the other in a file beside the session's database, which knows each by its place and
 * checksum. SQLite would write every byte of them twice, by way of its log (docs/measurements.md). Each is one Zstandard frame
 * (RFC 8878): heads repeat themselves, and to give the system a twentieth of the bytes costs less than what it takes to hold
 * and check them all. Those of version 5 lie there as they are; their first number, a length, is none that a frame begins with.
 */

const BLOCK_FILE = "exchanges.blk";

/** Our choice, bytes: as often as SQLite makes its own log last (session-database.ts). */
const SYNC = 16 * 1024 * 1024;

/** RFC 8878, section 3.1.1: what every frame begins with (little-endian). */
const MAGIC = 0xfd2fb528;

/** Our choice: higher levels make heads no smaller (docs/measurements.md). */
const QUICKLY = { [coding.ZSTD_c_compressionLevel]: 1 };

/** Our choice, bytes: under load a block has some 150 KB. */
const USUAL = 256 * 1024;

/** Our choice, bytes: far more than the largest heads make of a block; a frame that claims more is not ours. */
const LARGEST = 256 * 1024 * 1024;

/** A run of a block's bytes, or their text (UTF-8). */
export type Piece = Uint8Array | string;

/** Appends to the file of one session. Its methods throw what the system says; then nothing was promised. */
export class BlockFile {
  readonly #path: string;
  #descriptor: number | null = null;
  /** Where the next block will lie, and where it would if what was appended since `keep` is to count. */
  #kept = 0;
  #end = 0;
  #unsynced = 0;
  /** Where the pieces of a block are put together, block after block: memory that is new each time costs as much as to fill it. */
  readonly #whole = Buffer.allocUnsafeSlow(USUAL);

  constructor(folder: string) {
    this.#path = join(folder, BLOCK_FILE);
  }

  /** Writes blocks, each in pieces, and says where they lie; until `keep` they may be written over. */
  append(blocks: readonly (readonly Piece[])[]): readonly Place[] {
    const descriptor = blocks.length === 0 ? null : this.#opened();
    this.#end = this.#kept;
    if (descriptor === null) return [];
    const frames = blocks.map((pieces) => this.#frameOf(pieces));
    const places = frames.map((frame) => this.#placeOf(frame));
    writeParts(descriptor, frames, this.#kept);
    return places;
  }

  /** What was appended is referred to now. */
  keep(): void {
    this.#unsynced += this.#end - this.#kept;
    this.#kept = this.#end;
  }

  /** Waits until what was kept is on the disk itself, once that is much. */
  sync(): void {
    if (this.#unsynced > SYNC) this.#syncNow();
  }

  close(): void {
    if (this.#descriptor === null) return;
    try {
      this.#syncNow();
    } catch {
      // The system has it, and writes it when it can.
    }
    closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  #frameOf(pieces: readonly Piece[]): Buffer {
    let length = 0;
    for (const piece of pieces) length += Buffer.byteLength(piece);
    const whole = length > USUAL ? Buffer.allocUnsafeSlow(length) : this.#whole;
    let end = 0;
    for (const piece of pieces) {
      if (typeof piece === "string") end += whole.write(piece, end);
      else {
        whole.set(piece, end);
        end += piece.length;
      }
    }
    return zstdCompressSync(whole.subarray(0, length), { params: QUICKLY, pledgedSrcSize: length });
  }

  #placeOf(frame: Buffer): Place {
    const offset = this.#end;
    this.#end += frame.length;
    return { offset, length: frame.length, check: crc32(frame) };
  }

  /** At first behind all that is there, of which a crash may have left a part that nobody refers to. */
  #opened(): number {
    if (this.#descriptor !== null) return this.#descriptor;
    this.#descriptor = openSync(this.#path, TO_WRITE, PRIVATE_FILE);
    this.#kept = fstatSync(this.#descriptor).size;
    return this.#descriptor;
  }

  #syncNow(): void {
    if (this.#descriptor !== null) fdatasyncSync(this.#descriptor);
    this.#unsynced = 0;
  }
}

/** A block of that session. Throws what the system says, and where it is damaged. */
export function readBlock(folder: string, place: Place): Buffer {
  const bytes = readPlace(join(folder, BLOCK_FILE), place);
  const isFrame = bytes.length >= 4 && bytes.readUInt32LE(0) === MAGIC;
  return isFrame ? zstdDecompressSync(bytes, { maxOutputLength: LARGEST }) : bytes;
}
