import type { Bytes } from "../../../../../src/engine/model/units.ts";

const NOTHING: Buffer = Buffer.alloc(0);

/** Joins pieces of any size in one buffer. Its size doubles when it is full, so each byte is copied about twice. */
export class GrowingBuffer {
  #room: Buffer;
  #length: Bytes = 0;

  /** `first`: kept without a copy; the caller must not change it. */
  constructor(first: Buffer = NOTHING) {
    this.#room = first;
    this.#length = first.length;
  }

  get length(): Bytes {
    return this.#length;
  }

  /** All bytes added so far, as a view that later calls of `add` do not change. */
  get bytes(): Buffer {
    return this.#room.subarray(0, this.#length);
  }

  add(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (length > this.#room.length) {
      const larger = Buffer.allocUnsafe(Math.max(LEAST, 2 * length));
      this.#room.copy(larger, 0, 0, this.#length);
      this.#room = larger;
    }
    piece.copy(this.#room, this.#length);
    this.#length = length;
  }
}

/** The first allocation, in bytes. */
const LEAST: Bytes = 512;
