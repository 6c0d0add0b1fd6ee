import type { Bytes, ExchangeId } from "../model/units.ts";
import { lowerBound } from "./lower-bound.ts";
import { MOST_VALUES, type SizeSample } from "./percentile.ts";

/** The body sizes of one exchange. `response`: `null` if the response is not whole. */
export interface PayloadSample {
  readonly id: ExchangeId;
  readonly request: Bytes;
  readonly response: Bytes | null;
}

/**
 * The sizes of the responses with the smallest keys, at most `MOST_VALUES`, by key. Keys are pseudo-random numbers from
 * the exchanges' ids, so this choice is uniform and does not depend on the order.
 */
interface ChosenSizes {
  readonly keys: number[];
  readonly sizes: Bytes[];
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
  #firstKey = 0;
  /** `null` before the second response, since most endpoints have only one response. */
  #chosen: ChosenSizes | null = null;

  record({ id, request, response }: PayloadSample): void {
    this.#requests += 1;
    this.#requestBytes += request;
    if (response === null) return;
    const key = keyOf(id);
    if (this.#responses === 0) this.#firstKey = key;
    else {
      this.#chosen ??= this.#choice();
      choose(this.#chosen, key, response);
    }
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

  /**
   * Takes out exchanges that were recorded. Returns whether the largest response or one of the chosen sizes may have
   * gone; call `recount` then.
   */
  remove(samples: readonly PayloadSample[]): boolean {
    let isStale = false;
    for (const { id, request, response } of samples) {
      this.#requests -= 1;
      this.#requestBytes -= request;
      if (response === null) continue;
      this.#responses -= 1;
      this.#responseBytes -= response;
      const { keys } = this.#choice();
      isStale ||= response === this.#largest || keyOf(id) <= (keys.at(-1) ?? 0);
    }
    return isStale;
  }

  /** Finds the largest response and chooses sizes anew. `forEach`: visits all responses that are left. */
  recount(forEach: (visit: (id: ExchangeId, response: Bytes) => void) => void): void {
    const chosen: ChosenSizes = { keys: [], sizes: [] };
    this.#largest = 0;
    forEach((id, response) => {
      this.#largest = Math.max(this.#largest, response);
      choose(chosen, keyOf(id), response);
    });
    this.#firstKey = chosen.keys[0] ?? 0;
    this.#chosen = chosen.keys.length > 1 ? chosen : null;
  }

  /** Takes out a response's decoded size, as `recordDecoded` added it. */
  removeDecoded(encoded: Bytes, decoded: Bytes, coded: boolean): void {
    this.#decoded -= 1;
    this.#decodedBytes -= decoded;
    if (!coded || encoded === 0) return;
    this.#compressed -= 1;
    this.#compressedBytes -= encoded;
    this.#inflatedBytes -= decoded;
  }

  /** Adds all that `other` has recorded. */
  absorb(other: PayloadTally): void {
    if (this.#responses === 0) this.#firstKey = other.#firstKey;
    if (this.#responses + other.#responses > 1) {
      this.#chosen ??= this.#choice();
      const { keys, sizes } = other.#choice();
      for (const [index, key] of keys.entries()) choose(this.#chosen, key, sizes[index] as Bytes);
    }
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
    const values = Float64Array.from(this.#choice().sizes).sort();
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

  #choice(): ChosenSizes {
    if (this.#chosen !== null) return this.#chosen;
    return this.#responses === 0 ? { keys: [], sizes: [] } : { keys: [this.#firstKey], sizes: [this.#responseBytes] };
  }
}

/** Adds a size if its key is among the smallest. */
function choose({ keys, sizes }: ChosenSizes, key: number, size: Bytes): void {
  if (keys.length === MOST_VALUES && key > (keys.at(-1) as number)) return;
  const position = lowerBound(0, keys.length, (index) => (keys[index] as number) > key);
  if (position === MOST_VALUES) return;
  keys.splice(position, 0, key);
  sizes.splice(position, 0, size);
  if (keys.length <= MOST_VALUES) return;
  keys.pop();
  sizes.pop();
}

/** A pseudo-random whole number for an exchange (the finalizer of MurmurHash3). */
function keyOf(id: ExchangeId): number {
  let hash = id >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
