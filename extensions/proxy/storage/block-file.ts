import { closeSync, constants, fdatasyncSync, fstatSync, openSync, writevSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { type Place, readPlace } from "./extents.ts";
import { PRIVATE_FILE } from "./private-file.ts";

/*
 * Blocks of exchanges lie one after the other in a file beside the session's database, which knows each by its place and
 * checksum. SQLite would write every byte of them twice, by way of its log (docs/measurements.md).
 */

const BLOCK_FILE = "exchanges.blk";

/** Our choice, bytes: as often as SQLite makes its own log last (session-database.ts). */
const SYNC = 16 * 1024 * 1024;

/** Appends to the file of one session. Its methods throw what the system says; then nothing was promised. */
export class BlockFile {
  readonly #path: string;
  #descriptor: number | null = null;
  /** Where the next block will lie, and where it would if what was appended since `keep` is to count. */
  #kept = 0;
  #end = 0;
  #unsynced = 0;

  constructor(folder: string) {
    this.#path = join(folder, BLOCK_FILE);
  }

  /** Writes blocks, each in pieces, and says where they lie; until `keep` they may be written over. */
  append(blocks: readonly (readonly Uint8Array[])[]): readonly Place[] {
    const descriptor = blocks.length === 0 ? null : this.#opened();
    this.#end = this.#kept;
    if (descriptor === null) return [];
    const places = blocks.map((pieces) => this.#placeOf(pieces));
    const written = writevSync(descriptor, blocks.flat(), this.#kept);
    if (written !== this.#end - this.#kept) throw new Error("the disk took only a part of it");
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

  #placeOf(pieces: readonly Uint8Array[]): Place {
    const offset = this.#end;
    let check = 0;
    for (const piece of pieces) {
      check = crc32(piece, check);
      this.#end += piece.length;
    }
    return { offset, length: this.#end - offset, check };
  }

  /** At first behind all that is there, of which a crash may have left a part that nobody refers to. */
  #opened(): number {
    if (this.#descriptor !== null) return this.#descriptor;
    this.#descriptor = openSync(this.#path, WRITE_ON, PRIVATE_FILE);
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
  return readPlace(join(folder, BLOCK_FILE), place);
}

const WRITE_ON = constants.O_WRONLY | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
