import { closeSync, openSync, rmSync } from "node:fs";
import { crc32 } from "node:zlib";
import { type Extent, NOWHERE, segmentPath, writeParts } from "./extents.ts";
import { PRIVATE_FILE, TO_WRITE } from "./private-file.ts";

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

/** Our choice: pieces up to this are copied together, since each part of a write costs more than its bytes. */
const SMALL = 4 * 1024;
/** Our choice: what they are copied into; about what a flush under load writes. */
const BLOCK = 1024 * 1024;

/** Pieces that lie one after the other in a segment. */
class Run {
  readonly segment: number;
  readonly offset: number;
  length = 0;
  /** What small pieces are copied into; of the latest, those from `#from` to `#to` are in no part yet. */
  readonly blocks: Uint8Array[] = [];
  readonly #parts: Uint8Array[] = [];
  #from = 0;
  #to = 0;

  constructor({ segment, offset }: Extent) {
    this.segment = segment;
    this.offset = offset;
  }

  /** `newBlock` is asked for another block once the latest is full. */
  add(piece: Uint8Array, newBlock: () => Uint8Array): void {
    this.length += piece.length;
    if (piece.length > SMALL) {
      this.#endPart();
      this.#parts.push(piece);
      return;
    }
    let block = this.blocks.at(-1);
    if (block === undefined || this.#to + piece.length > block.length) {
      this.#endPart();
      block = newBlock();
      this.blocks.push(block);
      this.#from = 0;
      this.#to = 0;
    }
    block.set(piece, this.#to);
    this.#to += piece.length;
  }

  /** All of it, in few parts. */
  parts(): readonly Uint8Array[] {
    this.#endPart();
    return this.#parts;
  }

  #endPart(): void {
    const part = this.blocks.at(-1)?.subarray(this.#from, this.#to);
    if (part !== undefined && part.length > 0) this.#parts.push(part);
    this.#from = this.#to;
  }
}

/** Appends to the segments of one session. `write` is the only one that touches the disk, and it may be tried again. */
export class BodyWriter {
  readonly #folder: string;
  #cap: number;
  /** What waits to be written, at most one run per segment, oldest first. */
  #runs: Run[] = [];
  #waiting = 0;
  /** To be filled again. */
  #emptyBlock: Uint8Array | null = null;
  readonly #newBlock = (): Uint8Array => {
    const block = this.#emptyBlock ?? Buffer.allocUnsafeSlow(BLOCK);
    this.#emptyBlock = null;
    return block;
  };
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

  /** What is over it goes with the next `dropOldest`. */
  set cap(cap: number) {
    this.#cap = cap;
    // Of all segments only the one that is being filled is never dropped.
    if (this.#end > this.#segmentSize()) this.#beginSegment();
  }

  /** Bytes that `write` has not written yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Bytes on disk. */
  get held(): number {
    let total = 0;
    for (const size of this.#sizes.values()) total += size;
    return total;
  }

  /** Takes bytes that nobody will change any more and says where they will lie. */
  place(pieces: readonly Uint8Array[]): Extent {
    let length = 0;
    let check = 0;
    for (const piece of pieces) {
      length += piece.length;
      check = crc32(piece, check);
    }
    if (this.#waiting > 0 && this.#waiting + length > MOST_WAITING)
      return { segment: NOWHERE, offset: 0, length, check: 0 };
    if (this.#end > 0 && this.#end + length > this.#segmentSize()) this.#beginSegment();
    const extent = { segment: this.#segment, offset: this.#end, length, check };
    const run = this.#runOf(extent);
    for (const piece of pieces) run.add(piece, this.#newBlock);
    this.#end += length;
    this.#waiting += length;
    return extent;
  }

  /** Throws what the system says; then everything still waits and lies where it was promised to lie. */
  write(): void {
    for (let run = this.#runs[0]; run !== undefined; run = this.#runs[0]) {
      writeParts(this.#open(run.segment), run.parts(), run.offset);
      this.#runs.shift();
      this.#emptyBlock ??= run.blocks[0] ?? null;
      this.#waiting -= run.length;
      this.#sizes.set(run.segment, run.offset + run.length);
    }
    this.dropOldest();
  }

  /** Deletes what is over the cap. Throws what the system says; it may be tried again. */
  dropOldest(): void {
    let total = this.held;
    for (const [segment, size] of this.#sizes) {
      if (total <= this.#cap || segment === this.#segment) return;
      if (segment === this.#file?.segment) this.close(); // or it would take its room further
      rmSync(segmentPath(this.#folder, segment), { force: true });
      this.#sizes.delete(segment);
      total -= size;
    }
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file.descriptor);
    this.#file = null;
  }

  #segmentSize(): number {
    return Math.max(SMALLEST_SEGMENT, Math.min(LARGEST_SEGMENT, this.#cap / SEGMENTS_AT_CAP));
  }

  #beginSegment(): void {
    this.#segment += 1;
    this.#end = 0;
  }

  #runOf(extent: Extent): Run {
    const last = this.#runs.at(-1);
    if (last?.segment === extent.segment) return last;
    const run = new Run(extent);
    this.#runs.push(run);
    return run;
  }

  #open(segment: number): number {
    if (this.#file?.segment === segment) return this.#file.descriptor;
    this.close();
    const descriptor = openSync(segmentPath(this.#folder, segment), TO_WRITE, PRIVATE_FILE);
    this.#file = { segment, descriptor };
    return descriptor;
  }
}
