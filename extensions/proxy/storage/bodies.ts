import { closeSync, openSync, rmSync } from "node:fs";
import { crc32 } from "node:zlib";
import { type Extent, NOWHERE, segmentPath, writeParts } from "./extents.ts";
import { PRIVATE_FILE, TO_WRITE } from "./private-file.ts";

/*
 * Bodies are stored in append-only segment files next to the session's database:
 *
 *   bodies-0001.seg  │ piece │ piece │ piece │ …        one piece = one extent, known to the database with its checksum
 *   bodies-0002.seg  │ piece │ …                        the oldest file is deleted when the session exceeds its cap
 */

/**
 * The most bytes of a segment, and so the most that a session over its cap drops at
 * once.
 */
const LARGEST_SEGMENT = 64 * 1024 * 1024;
const SMALLEST_SEGMENT = 1024 * 1024;
/**
 * The number of segments of a session at its cap. With so many, dropping one segment
 * loses a small part.
 */
const SEGMENTS_AT_CAP = 16;
/**
 * Bytes that may wait in memory while the disk cannot be written. Further bytes are
 * dropped.
 */
const MOST_WAITING = 32 * 1024 * 1024;

/**
 * Pieces up to this size are copied into one buffer. Writing them one by one would
 * cost more than copying.
 */
const SMALL = 4 * 1024;
/**
 * Size of the buffer for small pieces. A flush under load writes about this much.
 */
const BLOCK = 1024 * 1024;

/** Pieces that are adjacent in a segment. */
class Run {
  readonly segment: number;
  readonly offset: number;
  length = 0;
  /** Buffers of small pieces. In the last buffer, bytes `#from` to `#to` are not yet in `#parts`. */
  readonly blocks: Uint8Array[] = [];
  readonly #parts: Uint8Array[] = [];
  #from = 0;
  #to = 0;

  constructor({ segment, offset }: Extent) {
    this.segment = segment;
    this.offset = offset;
  }

  /** `newBlock` returns another buffer once the last is full. */
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

  /** All bytes of the run, in few parts. */
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

/** Appends to the segments of one session. Only `write` and `dropOldest` touch the disk, and both may be retried. */
export class BodyWriter {
  readonly #folder: string;
  #cap: number;
  /** Unwritten runs, at most one per segment, oldest first. */
  #runs: Run[] = [];
  #waiting = 0;
  /** A buffer for reuse. */
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

  /** `cap`: the most bytes of bodies on disk. `sizes`: sizes of the existing segments, to which nothing is appended. */
  constructor(folder: string, cap: number, sizes: ReadonlyMap<number, number> = new Map()) {
    this.#folder = folder;
    this.#cap = cap;
    this.#sizes = new Map(sizes);
    this.#segment = Math.max(0, ...sizes.keys()) + 1;
  }

  /** Bytes over the new cap are deleted by the next `dropOldest`. */
  set cap(cap: number) {
    this.#cap = cap;
    // The segment being filled is never dropped. If it is now too large, begin another.
    if (this.#end > this.#segmentSize()) this.#beginSegment();
  }

  /** Bytes not yet written. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Bytes in segments on disk. */
  get held(): number {
    let total = 0;
    for (const size of this.#sizes.values()) total += size;
    return total;
  }

  /**
   * Buffers `pieces` and returns their future extent; if the buffer is full, drops them and returns an extent in
   * `NOWHERE`. The caller must no longer change these bytes.
   */
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

  /**
   * Writes everything buffered. Throws the system's error; the unwritten rest stays buffered, and extents stay valid.
   */
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

  /**
   * Deletes the oldest segments while the session is over its cap. Throws the system's error; the call may be retried.
   */
  dropOldest(): void {
    let total = this.held;
    for (const [segment, size] of this.#sizes) {
      if (total <= this.#cap || segment === this.#segment) return;
      if (segment === this.#file?.segment) this.close(); // an open file would keep its space
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
