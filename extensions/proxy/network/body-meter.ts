import type { Bytes } from "../../../src/engine/model/units.ts";

/** Counts one body, and cuts out of it what is to be kept. */
export class BodyMeter {
  #size: Bytes = 0;
  readonly #cap: Bytes;

  constructor(cap: Bytes) {
    this.#cap = cap;
  }

  /** Everything that passed so far, kept or not. */
  get size(): Bytes {
    return this.#size;
  }

  /** Counts `bytes`; the part of them that is still below the cap, `null` if none is. */
  take(bytes: Buffer): Buffer | null {
    const room = this.#cap - this.#size;
    this.#size += bytes.length;
    if (room <= 0 || bytes.length === 0) return null;
    return bytes.length <= room ? bytes : bytes.subarray(0, room);
  }
}
