import type { Bytes } from "../../../../../src/engine/model/units.ts";

/** Decides how much of one body is captured: the bytes below the cap. Counts all of them. */
export class BodyCapture {
  #size: Bytes = 0;
  readonly #cap: Bytes;

  constructor(cap: Bytes) {
    this.#cap = cap;
  }

  /** The number of all bytes so far, whether they were kept or not. */
  get size(): Bytes {
    return this.#size;
  }

  /** Counts `bytes` and returns the part of them below the cap; `null` if there is none. */
  addBytes(bytes: Buffer): Buffer | null {
    const room = this.#cap - this.#size;
    this.#size += bytes.length;
    if (room <= 0 || bytes.length === 0) return null;
    return bytes.length <= room ? bytes : bytes.subarray(0, room);
  }
}
