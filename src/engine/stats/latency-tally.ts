import type { Milliseconds } from "../model/units.ts";
import { lowerBound } from "./lower-bound.ts";
import {
  evenShares,
  type LatencySample,
  latencySampleIn,
  MOST_VALUES,
  percentileBy,
  sampleOf,
  selectRank,
} from "./percentile.ts";

/** The length of a new tally's arrays. Most endpoints have few requests. */
const FIRST_CELLS = 4;

/** Up to this many values are searched for one by one when they are removed. */
const FEW = 8;

/** Up to this many values, all are visited instead of counted in buckets. */
const SMALL = 4_096;

/**
 * Parts of a millisecond. Instants from 2005 to 2038 are doubles between 2^40 and 2^41, so they and their differences
 * are whole numbers of parts. Stored in this form, latencies take half the memory, without loss.
 */
const PARTS = 4_096;

/** The largest 32-bit value. */
const MOST_WHOLE = 2 ** 32 - 1;

/**
 * All values of a set of latencies, in one growing array, in order of arrival. A large tally also counts them in
 * logarithmic buckets (32 per octave), so that only the values of one bucket need sorting for a percentile:
 *
 *   key     … │ 4.000─4.125 │ 4.125─4.250 │ 4.250─4.375 │ …
 *   counts    │     812     │    1,204    │     640     │
 */
export class LatencyTally {
  /** The values in parts; in ms as soon as a value is no whole number of parts, or is longer than 17 minutes. */
  #values: Uint32Array | Float64Array = new Uint32Array(FIRST_CELLS);
  /** The factor by which values are multiplied when stored. */
  #scale = PARTS;
  /** The exchange of each value; `null` if ids are not needed. */
  #ids: Uint32Array | null;
  /** The number of values by bucket; `null` while the tally is small. */
  #counts: Uint32Array | null = null;
  #count = 0;
  #greatest = Number.NEGATIVE_INFINITY;

  constructor({ keepsIds }: { readonly keepsIds: boolean }) {
    this.#ids = keepsIds ? new Uint32Array(FIRST_CELLS) : null;
  }

  get count(): number {
    return this.#count;
  }

  /** Adds a value. `id`: the value's exchange; used only if the tally keeps ids. */
  record(value: Milliseconds, id: number): void {
    if (this.#scale !== 1 && !isWhole(value * PARTS)) this.#becomeDoubles();
    const index = this.#count;
    if (index === this.#values.length) this.#grow();
    this.#values[index] = value * this.#scale;
    if (this.#ids !== null) this.#ids[index] = id;
    this.#count = index + 1;
    if (value > this.#greatest) this.#greatest = value;
    if (this.#counts !== null) add(this.#counts, value);
    else if (index === SMALL) this.#countAll();
  }

  /** Takes out values that were recorded. `ids`: the exchange of each; used only if the tally keeps ids. */
  remove(values: readonly Milliseconds[], ids: readonly number[]): void {
    const before = this.#count;
    if (values.length <= FEW) for (const [index, value] of values.entries()) this.#removeOne(value, ids[index] ?? 0);
    else this.#removeMany(values, ids);
    if (this.#counts !== null && before !== this.#count) this.#countAll();
    if (values.includes(this.#greatest)) this.#greatest = this.#maximum();
  }

  /** Records all values of `other`. */
  absorb(other: LatencyTally): void {
    const ids = other.#ids;
    for (let index = 0; index < other.#count; index += 1) this.record(other.#at(index), ids?.[index] ?? 0);
  }

  /** The greatest value; minus infinity if there are none. */
  get greatest(): Milliseconds {
    return this.#greatest;
  }

  /** Exact percentiles, one for each share (0 to 1); `null` if there are no values. */
  percentiles(shares: readonly number[]): Milliseconds[] | null {
    if (this.#count === 0) return null;
    let bucket = Number.NaN;
    let values: Float64Array = buffer;
    return shares.map((share) =>
      percentileBy(this.#count, share, (rank) => {
        const found = this.#bucketOf(rank);
        if (found.bucket !== bucket) values = this.#valuesIn(found.bucket);
        bucket = found.bucket;
        return selectRank(values, values.length, rank - found.before);
      }),
    );
  }

  /** At most `most` values, ascending: all values, or quantiles at equal distances. */
  sample(most: number): ArrayLike<number> {
    if (this.#counts === null || this.#count <= most) return sampleOf(this.ascending(), most).values;
    return this.percentiles(evenShares(most)) ?? [];
  }

  ascending(): Float64Array {
    const values = Float64Array.from(this.#values.subarray(0, this.#count));
    for (let index = 0; index < values.length; index += 1) values[index] = (values[index] as number) / this.#scale;
    return values.sort();
  }

  /** The number of values from each edge to the next, and from the last edge on. `edges`: ascending. */
  countsFrom(edges: readonly Milliseconds[]): readonly number[] {
    const stored = Float64Array.from(edges, (edge) => edge * this.#scale);
    const counts = new Array<number>(edges.length).fill(0);
    for (let position = 0; position < this.#count; position += 1) {
      const value = this.#values[position] as number;
      const after = lowerBound(0, stored.length, (index) => (stored[index] as number) > value);
      if (after > 0) counts[after - 1] = (counts[after - 1] as number) + 1;
    }
    return counts;
  }

  /** The number of values greater than `limit`. */
  countAbove(limit: Milliseconds): number {
    const stored = limit * this.#scale;
    const values = this.#values;
    let count = 0;
    for (let index = 0; index < this.#count; index += 1) if ((values[index] as number) > stored) count += 1;
    return count;
  }

  /** Visits each value greater than `limit`, in order of arrival. */
  forEachAbove(limit: Milliseconds, visit: (value: Milliseconds, id: number) => void): void {
    const stored = limit * this.#scale;
    for (let index = 0; index < this.#count; index += 1) {
      if ((this.#values[index] as number) > stored) visit(this.#at(index), this.#ids?.[index] ?? 0);
    }
  }

  #removeOne(value: Milliseconds, id: number): void {
    const index = this.#ids === null ? this.#values.indexOf(value * this.#scale) : this.#ids.indexOf(id);
    if (index < 0 || index >= this.#count) return;
    this.#values.copyWithin(index, index + 1, this.#count);
    this.#ids?.copyWithin(index, index + 1, this.#count);
    this.#count -= 1;
  }

  #removeMany(values: readonly Milliseconds[], ids: readonly number[]): void {
    const [from, keys] =
      this.#ids === null ? [this.#values, values.map((value) => value * this.#scale)] : [this.#ids, ids];
    const left = new Map<number, number>();
    for (const key of keys) left.set(key, (left.get(key) ?? 0) + 1);
    let kept = 0;
    for (let index = 0; index < this.#count; index += 1) {
      const times = left.get(from[index] as number) ?? 0;
      if (times > 0) {
        left.set(from[index] as number, times - 1);
        continue;
      }
      this.#values[kept] = this.#values[index] as number;
      if (this.#ids !== null) this.#ids[kept] = this.#ids[index] as number;
      kept += 1;
    }
    this.#count = kept;
  }

  #maximum(): Milliseconds {
    let greatest = Number.NEGATIVE_INFINITY;
    for (let index = 0; index < this.#count; index += 1) greatest = Math.max(greatest, this.#at(index));
    return greatest;
  }

  #at(index: number): Milliseconds {
    // The scale is a power of two, so the division is exact.
    return (this.#values[index] as number) / this.#scale;
  }

  /** The bucket of the value with this rank (0 is the smallest), and the number of values in earlier buckets. */
  #bucketOf(rank: number): { readonly bucket: number; readonly before: number } {
    let [bucket, before] = [0, 0];
    if (this.#counts === null) return { bucket, before };
    for (; rank >= before + (this.#counts[bucket] as number); bucket += 1) before += this.#counts[bucket] as number;
    return { bucket, before };
  }

  /** The values of one bucket; in a small tally, all values. Valid until the next call. */
  #valuesIn(bucket: number): Float64Array {
    const count = this.#counts?.[bucket] ?? this.#count;
    if (buffer.length < count) buffer = new Float64Array(2 * count);
    const from = this.#counts === null ? Number.NEGATIVE_INFINITY : lowestOf(bucket) * this.#scale;
    const to = this.#counts === null ? Number.POSITIVE_INFINITY : lowestOf(bucket + 1) * this.#scale;
    const values = this.#values;
    let found = 0;
    for (let index = 0; index < this.#count; index += 1) {
      const value = values[index] as number;
      if (value < from || value >= to) continue;
      buffer[found] = value / this.#scale;
      found += 1;
    }
    return buffer.subarray(0, found);
  }

  #countAll(): void {
    const counts = new Uint32Array(KEYS);
    for (let index = 0; index < this.#count; index += 1) add(counts, this.#at(index));
    this.#counts = counts;
  }

  #grow(): void {
    const cells = 2 * this.#values.length;
    const larger = this.#scale === 1 ? new Float64Array(cells) : new Uint32Array(cells);
    larger.set(this.#values);
    this.#values = larger;
    if (this.#ids === null) return;
    const ids = new Uint32Array(cells);
    ids.set(this.#ids);
    this.#ids = ids;
  }

  #becomeDoubles(): void {
    this.#values = Float64Array.from(this.#values, (stored) => stored / PARTS);
    this.#scale = 1;
  }
}

function isWhole(parts: number): boolean {
  return parts <= MOST_WHOLE && parts >= 0 && Number.isInteger(parts);
}

/**
 * A sample of the tally's values except those in `without`; `null` if none remain. If `without` is empty, the values
 * are computed when first read, since most comparisons do not need them.
 */
export function latencySampleOf(tally: LatencyTally, without: readonly Milliseconds[] = []): LatencySample | null {
  if (without.length > 0) return latencySampleIn(restOf(tally.ascending(), without));
  const [p50, p95] = tally.percentiles([0.5, 0.95]) ?? [];
  if (p50 === undefined || p95 === undefined) return null;
  let values: ArrayLike<number> | null = null;
  return {
    count: tally.count,
    p50,
    p95,
    get values() {
      values ??= tally.sample(MOST_VALUES);
      return values;
    },
  };
}

/**
 * The values of `ascending` without the values of `without`. Each value of `without` must be in `ascending`, and is
 * removed once.
 */
function restOf(ascending: Float64Array, without: readonly Milliseconds[]): Float64Array {
  const left = Float64Array.from(without).sort();
  let next = 0;
  return ascending.filter((value) => {
    if (value !== left[next]) return true;
    next += 1;
    return false;
  });
}

const bits = new DataView(new ArrayBuffer(8));

/** The number of buckets. Values below a microsecond share one, and values from about 4.5 hours on share another. */
const KEYS = 34 * 32;
const LOWEST = rawKeyOf(2 ** -10) - 1;

function add(counts: Uint32Array, value: Milliseconds): void {
  const key = Math.min(KEYS - 1, Math.max(0, rawKeyOf(value) - LOWEST));
  counts[key] = (counts[key] as number) + 1;
}

/** The key of a value: its exponent and the first five bits of its mantissa. A negative value counts as 0. */
function rawKeyOf(value: Milliseconds): number {
  bits.setFloat64(0, Math.max(0, value));
  return bits.getUint32(0) >>> 15;
}

/**
 * The lower bound of a bucket; minus infinity for the first bucket, plus infinity for `KEYS`, the end of the last one.
 */
function lowestOf(key: number): Milliseconds {
  if (key === 0) return Number.NEGATIVE_INFINITY;
  if (key === KEYS) return Number.POSITIVE_INFINITY;
  bits.setFloat64(0, 0);
  bits.setUint32(0, (key + LOWEST) << 15);
  return bits.getFloat64(0);
}

/**
 * The buffer into which all tallies read values. New buffers would take megabytes per second and cause garbage
 * collections.
 */
let buffer = new Float64Array(SMALL);
