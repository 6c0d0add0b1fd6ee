import type { Bytes } from "../model/units.ts";

/** The sizes of one exchange's bodies; `response` is `null` where no whole response came. */
export interface PayloadSample {
  readonly request: Bytes;
  readonly response: Bytes | null;
}

/** Sums of body sizes. Whole numbers, so the means do not depend on the order. */
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

  record({ request, response }: PayloadSample): void {
    this.#requests += 1;
    this.#requestBytes += request;
    if (response === null) return;
    this.#responses += 1;
    this.#responseBytes += response;
    this.#largest = Math.max(this.#largest, response);
  }

  /** A response's size after decoding became known; `coded`: it had a Content-Encoding. */
  recordDecoded(encoded: Bytes, decoded: Bytes, coded: boolean): void {
    this.#decoded += 1;
    this.#decodedBytes += decoded;
    if (!coded || encoded === 0) return;
    this.#compressed += 1;
    this.#compressedBytes += encoded;
    this.#inflatedBytes += decoded;
  }

  /** Whole responses. */
  get responses(): number {
    return this.#responses;
  }

  /** Of all their bodies as transferred. */
  get responseBytes(): Bytes {
    return this.#responseBytes;
  }

  /** Of a whole response; `null` without one. */
  get largest(): Bytes | null {
    return this.#responses === 0 ? null : this.#largest;
  }

  /** Mean body of a whole response as transferred; `null` without one: nothing is not small. */
  get meanResponse(): Bytes | null {
    return this.#responses === 0 ? null : this.#responseBytes / this.#responses;
  }

  get meanRequest(): Bytes {
    return this.#requests === 0 ? 0 : this.#requestBytes / this.#requests;
  }

  /** Over the responses whose decoded size is known; `null` if there is none. */
  get meanDecoded(): Bytes | null {
    return this.#decoded === 0 ? null : this.#decodedBytes / this.#decoded;
  }

  /** decoded / encoded, all compressed bodies together; `null` if there is none. */
  get compressionRatio(): number | null {
    return this.#compressed === 0 ? null : this.#inflatedBytes / this.#compressedBytes;
  }
}
