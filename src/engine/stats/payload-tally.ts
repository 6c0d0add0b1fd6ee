import type { Bytes } from "../model/units.ts";
import { MOST_VALUES, type SizeSample } from "./sample.ts";

/** The body sizes of one exchange. `response`: `null` if the response is not whole. */
export interface PayloadSample {
  readonly request: Bytes;
  readonly response: Bytes | null;
}

/** Sums of body sizes. They are whole numbers, so the means do not depend on the order. */
export class PayloadTally {
  #requests = 0;
  #requestBytes = 0;
  #responses = 0;
  #responseBytes = 0;
  #largest = 0;
  #decoded = 0;
  #decodedBytes = 0;
  #compressed = 0;
  #compressedBytes = 0;
  #inflatedBytes = 0;
  /**
   * A uniform random choice of the responses' sizes; `null` before the second response, since most endpoints have only
   * one response.
   */
  #sizes: Bytes[] | null = null;

  record({ request, response }: PayloadSample): void {
    this.#requests += 1;
    this.#requestBytes += request;
    if (response === null) return;
    if (this.#responses > 0) this.#choose(response);
    this.#responses += 1;
    this.#responseBytes += response;
    this.#largest = Math.max(this.#largest, response);
  }

  /** Records a response's decoded size. `coded`: whether it had a Content-Encoding. */
  recordDecoded(encoded: Bytes, decoded: Bytes, coded: boolean): void {
    this.#decoded += 1;
    this.#decodedBytes += decoded;
    if (!coded || encoded === 0) return;
    this.#compressed += 1;
    this.#compressedBytes += encoded;
    this.#inflatedBytes += decoded;
  }

  /** Adds the sums of `other`, but not the sizes of single responses. */
  absorb(other: PayloadTally): void {
    this.#requests += other.#requests;
    this.#requestBytes += other.#requestBytes;
    this.#responses += other.#responses;
    this.#responseBytes += other.#responseBytes;
    this.#largest = Math.max(this.#largest, other.#largest);
    this.#decoded += other.#decoded;
    this.#decodedBytes += other.#decodedBytes;
    this.#compressed += other.#compressed;
    this.#compressedBytes += other.#compressedBytes;
    this.#inflatedBytes += other.#inflatedBytes;
  }

  /** The number of whole responses. */
  get responses(): number {
    return this.#responses;
  }

  /** The sum of the sizes of whole responses' bodies, as transferred. */
  get responseBytes(): Bytes {
    return this.#responseBytes;
  }

  /** The sizes of whole responses; `null` if there are none. */
  get sizes(): SizeSample | null {
    if (this.#responses === 0) return null;
    const values = Float64Array.from(this.#sizes ?? [this.#responseBytes]).sort();
    return { count: this.#responses, values, mean: this.#responseBytes / this.#responses };
  }

  /** The size of the largest body of a whole response; `null` if there is none. */
  get largest(): Bytes | null {
    return this.#responses === 0 ? null : this.#largest;
  }

  /** The mean size of whole responses' bodies, as transferred; `null` if there are none. */
  get meanResponse(): Bytes | null {
    return this.#responses === 0 ? null : this.#responseBytes / this.#responses;
  }

  get meanRequest(): Bytes {
    return this.#requests === 0 ? 0 : this.#requestBytes / this.#requests;
  }

  /** The mean over responses whose decoded size is known; `null` if there are none. */
  get meanDecoded(): Bytes | null {
    return this.#decoded === 0 ? null : this.#decodedBytes / this.#decoded;
  }

  /** Decoded size divided by encoded size, over all encoded bodies; `null` if there are none. */
  get compressionRatio(): number | null {
    return this.#compressed === 0 ? null : this.#inflatedBytes / this.#compressedBytes;
  }

  /** Keeps each size with the same probability (Vitter, 1985, algorithm R). A hash of the response's number decides. */
  #choose(size: Bytes): void {
    this.#sizes ??= [this.#responseBytes];
    if (this.#sizes.length < MOST_VALUES) {
      this.#sizes.push(size);
      return;
    }
    const place = Math.floor(shareOf(this.#responses) * (this.#responses + 1));
    if (place < MOST_VALUES) this.#sizes[place] = size;
  }
}

/** A pseudo-random number from 0 to below 1 (the finalizer of MurmurHash3). */
function shareOf(number: number): number {
  let hash = number >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
