import { closeSync, constants, openSync, rmSync, writevSync } from "node:fs";
import { crc32 } from "node:zlib";
import { type Extent, segmentPath } from "./extents.ts";
import { PRIVATE_FILE } from "./private-file.ts";

/*
 * Bodies lie in segment files that are only ever appended to, beside the session's database:
 *
 *   bodies-0001.seg  │ piece │ piece │ piece │ …        one piece = one extent, known to the database with its checksum
 *   bodies-0002.seg  │ piece │ …                        the oldest file goes when the session holds more than it may
 */

/** Our choice: a large session drops its bodies in steps of at most this. */
const LARGEST_SEGMENT = 64 * 1024 * 1024;
const SMALLEST_SEGMENT = 1024 * 1024;
/** Our choice: a session is at least so many segments at its cap, so that dropping one takes little of it. */
const SEGMENTS_AT_CAP = 16;
/** Our choice: more bytes than this wait in memory only while the disk cannot be written, and then they are given up. */
const MOST_WAITING = 32 * 1024 * 1024;

interface Run {
  readonly segment: number;
  readonly offset: number;
  readonly pieces: Uint8Array[];
  length: number;
}

/** Appends to the segments of one session. `write` is the only one that touches the disk, and it may be tried again. */
export class BodyWriter {
  readonly #folder: string;
  #cap: number;
  /** What waits to be written, at most one run per segment, oldest first. */
  #runs: Run[] = [];
  #waiting = 0;
  #segment: number;
  #end = 0;
  #file: { readonly segment: number; readonly descriptor: number } | null = null;
  /** Sizes of the segments on disk. */
  readonly #sizes: Map<number, number>;

  /** `cap`: bytes the session may hold. `sizes`: of the segments that are there already; none of them is appended to. */
  constructor(folder: string, cap: number, sizes: ReadonlyMap<number, number> = new Map()) {
    this.#folder = folder;
    this.#cap = cap;
    this.#sizes = new Map(sizes);
    this.#segment = Math.max(0, ...sizes.keys()) + 1;
  }

  set cap(cap: number) {
    this.#cap = cap;
  }

  /** Bytes that `write` has not written yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Takes bytes that nobody will change any more and says where they will lie. */
  place(pieces: readonly Uint8Array[]): Extent {
    let length = 0;
    let check = 0;
    for (const piece of pieces) {
      length += piece.length;
      check = crc32(piece, check);
    }
    if (this.#waiting > 0 && this.#waiting + length > MOST_WAITING) return { segment: 0, offset: 0, length, check: 0 };
    if (this.#end > 0 && this.#end + length > this.#segmentSize()) {
      this.#segment += 1;
      this.#end = 0;
    }
    const extent = { segment: this.#segment, offset: this.#end, length, check };
    this.#runOf(extent).pieces.push(...pieces);
    this.#end += length;
    this.#waiting += length;
    return extent;
  }

  /** Throws what the system says; then everything still waits and lies where it was promised to lie. */
  write(): void {
    for (let run = this.#runs[0]; run !== undefined; run = this.#runs[0]) {
      const written = writevSync(this.#open(run.segment), run.pieces, run.offset);
      if (written !== run.length) throw new Error("the disk took only a part of it");
      this.#runs.shift();
      this.#waiting -= run.length;
      this.#sizes.set(run.segment, run.offset + run.length);
    }
    this.#dropOldest();
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file.descriptor);
    this.#file = null;
  }

  #segmentSize(): number {
    return Math.max(SMALLEST_SEGMENT, Math.min(LARGEST_SEGMENT, this.#cap / SEGMENTS_AT_CAP));
  }

  #runOf(extent: Extent): Run {
    const last = this.#runs.at(-1);
    if (last?.segment === extent.segment) {
      last.length += extent.length;
      return last;
    }
    const run: Run = { segment: extent.segment, offset: extent.offset, pieces: [], length: extent.length };
    this.#runs.push(run);
    return run;
  }

  #open(segment: number): number {
    if (this.#file?.segment === segment) return this.#file.descriptor;
    this.close();
    const descriptor = openSync(segmentPath(this.#folder, segment), WRITE_NEW, PRIVATE_FILE);
    this.#file = { segment, descriptor };
    return descriptor;
  }

  #dropOldest(): void {
    let total = 0;
    for (const size of this.#sizes.values()) total += size;
    for (const [segment, size] of this.#sizes) {
      if (total <= this.#cap || segment === this.#segment) return;
      rmSync(segmentPath(this.#folder, segment), { force: true });
      this.#sizes.delete(segment);
      total -= size;
    }
  }
}

const WRITE_NEW = constants.O_WRONLY | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
