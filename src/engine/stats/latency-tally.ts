import type { Milliseconds } from "../model/units.ts";
import { NumberList } from "./number-list.ts";
import { percentileBy } from "./percentile.ts";
import { selectRank } from "./selection.ts";

/** Our choice: up to so many values lie together, where nothing else is asked for; an endpoint with few requests costs no buckets. */
const MOST_TOGETHER = 4_096;

interface Bucket {
  readonly key: number;
  readonly values: NumberList;
  /** Beside each value the exchange it is from; `null` where nobody will ask. */
  readonly ids: NumberList | null;
}

/**
 * Lengths of time, all of them kept, in logarithmic buckets (8 to the octave):
 *
 *   key   … │ 4.0─4.5 │ 4.5─5.0 │ 5.0─5.5 │ …
 *   holds   │  812    │  1,204  │  640    │       a percentile looks into one bucket, exactly
 */
export class LatencyTally {
  readonly #keepsIds: boolean;
  readonly #mostTogether: number;
  /** While small, one bucket for all; then one for each key. */
  #buckets: Bucket[] = [];
  #byKey: (Bucket | undefined)[] | null = null;
  #count = 0;

  /** `mostTogether`: values before they are spread over buckets. Of several tallies taken together few is quicker. */
  constructor({
    keepsIds,
    mostTogether = MOST_TOGETHER,
  }: {
    readonly keepsIds: boolean;
    readonly mostTogether?: number;
  }) {
    this.#keepsIds = keepsIds;
    this.#mostTogether = mostTogether;
  }

  get count(): number {
    return this.#count;
  }

  /** `id` matters only to a tally that keeps ids. */
  record(value: Milliseconds, id: number): void {
    if (this.#count === this.#mostTogether && this.#byKey === null) this.#spreadOut();
    const key = this.#byKey === null ? 0 : keyOf(value);
    const bucket = this.#byKey === null ? this.#buckets[0] : this.#byKey[key];
    const { values, ids } = bucket ?? this.#newBucket(key);
    values.push(value);
    ids?.push(id);
    this.#count += 1;
  }

  /** Percentiles of the values, one for each share (0 to 1), exact; `null` of nothing. */
  percentiles(shares: readonly number[]): Milliseconds[] | null {
    const [together] = this.#buckets;
    if (this.#byKey !== null) return percentilesOfAll([this], shares);
    if (together === undefined) return null;
    const copy = copyOf(together);
    return shares.map((share) => percentileBy(copy.length, share, (rank) => selectRank(copy, copy.length, rank)));
  }

  /** How many values are less than `edge`. */
  countBelow(edge: Milliseconds): number {
    return this.#counted(edge, (one, other) => one < other);
  }

  /** How many values are greater than `limit`. */
  countAbove(limit: Milliseconds): number {
    return this.#counted(limit, (one, other) => one > other);
  }

  /** Visits each value greater than `limit`, in no order. */
  forEachAbove(limit: Milliseconds, visit: (value: Milliseconds, id: number) => void): void {
    const limitKey = keyOf(limit);
    for (const bucket of this.#buckets) {
      if (this.#byKey !== null && bucket.key < limitKey) continue;
      const values = copyOf(bucket);
      for (let index = 0; index < values.length; index += 1) {
        const value = values[index] as number;
        if (value > limit) visit(value, bucket.ids?.at(index) ?? 0);
      }
    }
  }

  /** Adds how many values each key holds to `counts`, which has a place for every key. */
  countKeys(counts: Uint32Array): void {
    const add = (key: number, count: number): void => {
      counts[key] = (counts[key] as number) + count;
    };
    for (const bucket of this.#buckets) {
      if (this.#byKey !== null) add(bucket.key, bucket.values.length);
      else for (const value of copyOf(bucket)) add(keyOf(value), 1);
    }
  }

  /** Copies the values of one key to `target` from `offset` on; returns where the next would go. */
  copyKey(key: number, target: Float64Array, offset: number): number {
    const bucket = this.#byKey === null ? this.#buckets[0] : this.#byKey[key];
    if (bucket === undefined) return offset;
    if (this.#byKey !== null) return bucket.values.copyTo(target, offset);
    let next = offset;
    for (const value of copyOf(bucket)) {
      if (keyOf(value) !== key) continue;
      target[next] = value;
      next += 1;
    }
    return next;
  }

  /** Values on one side of `edge`: only those of its own key need be looked at. */
  #counted(edge: Milliseconds, isBeyond: (one: number, other: number) => boolean): number {
    const edgeKey = keyOf(edge);
    let count = 0;
    for (const bucket of this.#buckets) {
      if (this.#byKey === null || bucket.key === edgeKey) {
        for (const value of copyOf(bucket)) if (isBeyond(value, edge)) count += 1;
      } else if (isBeyond(bucket.key, edgeKey)) count += bucket.values.length;
    }
    return count;
  }

  #newBucket(key: number): Bucket {
    const bucket = { key, values: new NumberList("length"), ids: this.#keepsIds ? new NumberList("whole") : null };
    if (this.#byKey !== null) this.#byKey[key] = bucket;
    // A first element by push would reserve room for sixteen more.
    if (this.#buckets.length === 0) this.#buckets = [bucket];
    else this.#buckets.push(bucket);
    return bucket;
  }

  #spreadOut(): void {
    const [together] = this.#buckets;
    this.#buckets = [];
    this.#byKey = new Array<Bucket | undefined>(KEYS);
    this.#count = 0;
    for (let index = 0; index < (together?.values.length ?? 0); index += 1) {
      this.record(together?.values.at(index) ?? 0, together?.ids?.at(index) ?? 0);
    }
  }
}

/** Percentiles of the values of several tallies taken together; `null` of nothing. */
export function percentilesOfAll(tallies: readonly LatencyTally[], shares: readonly number[]): Milliseconds[] | null {
  const count = tallies.reduce((sum, tally) => sum + tally.count, 0);
  if (count === 0) return null;
  const counts = new Uint32Array(KEYS);
  for (const tally of tallies) tally.countKeys(counts);
  const copies = new Map<number, Float64Array>();
  return shares.map((share) => percentileBy(count, share, valueAt));

  function valueAt(rank: number): number {
    let before = 0;
    for (let key = 0; key < KEYS; key += 1) {
      const held = counts[key] as number;
      if (rank < before + held) return selectRank(copyOfKey(key, held), held, rank - before);
      before += held;
    }
    throw new Error("a rank beyond the values");
  }

  function copyOfKey(key: number, held: number): Float64Array {
    const known = copies.get(key);
    if (known !== undefined) return known;
    const copy = new Float64Array(held);
    tallies.reduce((offset, tally) => tally.copyKey(key, copy, offset), 0);
    copies.set(key, copy);
    return copy;
  }
}

const bits = new DataView(new ArrayBuffer(8));

/** Our choice: everything below a microsecond shares one bucket, everything from 2^24 ms (4.6 hours) another. */
const KEYS = 34 * 8;
const LOWEST = rawKeyOf(2 ** -10) - 1;

/** From 0 to less than KEYS; never falls while the value grows. */
function keyOf(value: Milliseconds): number {
  return Math.min(KEYS - 1, Math.max(0, rawKeyOf(value) - LOWEST));
}

/** Exponent and the first three bits of the mantissa. Nothing is below 0. */
function rawKeyOf(value: Milliseconds): number {
  bits.setFloat64(0, Math.max(0, value));
  return bits.getUint16(0) >>> 1;
}

function copyOf({ values }: Bucket): Float64Array {
  const copy = new Float64Array(values.length);
  values.copyTo(copy, 0);
  return copy;
}
