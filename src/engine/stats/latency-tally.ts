import type { Milliseconds } from "../model/units.ts";
import { NumberGroups } from "./number-groups.ts";
import { percentileBy } from "./percentile.ts";
import { selectRank } from "./selection.ts";

/** The one group of a tally that is small. */
const TOGETHER = 0;

/** Our choice: up to so many values lie together, where nothing else is asked for; an endpoint with few requests costs no buckets. */
const MOST_TOGETHER = 4_096;

/**
 * Lengths of time, all of them kept, in logarithmic buckets (8 to the octave):
 *
 *   key   … │ 4.0─4.5 │ 4.5─5.0 │ 5.0─5.5 │ …
 *   holds   │  812    │  1,204  │  640    │       a percentile looks into one bucket, exactly
 */
export class LatencyTally {
  readonly #mostTogether: number;
  /** While small, one group for all; then one for each key. */
  #values: NumberGroups;
  /** Beside each value the exchange it is from; `null` where nobody will ask. */
  #ids: NumberGroups | null;
  #isSpread = false;
  #count = 0;

  /** `mostTogether`: values before they are spread over buckets. Of several tallies taken together few is quicker. */
  constructor({
    keepsIds,
    mostTogether = MOST_TOGETHER,
  }: {
    readonly keepsIds: boolean;
    readonly mostTogether?: number;
  }) {
    this.#mostTogether = mostTogether;
    this.#values = new NumberGroups("length", 1);
    this.#ids = keepsIds ? new NumberGroups("whole", 1) : null;
  }

  get count(): number {
    return this.#count;
  }

  /** `id` matters only to a tally that keeps ids. */
  record(value: Milliseconds, id: number): void {
    if (this.#count === this.#mostTogether && !this.#isSpread) this.#spreadOut();
    const group = this.#isSpread ? keyOf(value) : TOGETHER;
    this.#values.push(group, value);
    this.#ids?.push(group, id);
    this.#count += 1;
  }

  /** Percentiles of the values, one for each share (0 to 1), exact; `null` of nothing. */
  percentiles(shares: readonly number[]): Milliseconds[] | null {
    if (this.#isSpread) return percentilesOfAll([this], shares);
    if (this.#count === 0) return null;
    const copy = copyOf(this.#values, TOGETHER);
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
    const end = this.#isSpread ? KEYS : TOGETHER + 1;
    for (let group = this.#isSpread ? keyOf(limit) : TOGETHER; group < end; group += 1) {
      const values = copyOf(this.#values, group);
      const ids = this.#ids === null ? null : copyOf(this.#ids, group);
      for (let index = 0; index < values.length; index += 1) {
        const value = values[index] as number;
        if (value > limit) visit(value, ids?.[index] ?? 0);
      }
    }
  }

  /** Adds how many values each key holds to `counts`, which has a place for every key. */
  countKeys(counts: Uint32Array): void {
    const add = (key: number, count: number): void => {
      counts[key] = (counts[key] as number) + count;
    };
    if (!this.#isSpread) for (const value of copyOf(this.#values, TOGETHER)) add(keyOf(value), 1);
    else for (let key = 0; key < KEYS; key += 1) add(key, this.#values.count(key));
  }

  /** Copies the values of one key to `target` from `offset` on; returns where the next would go. */
  copyKey(key: number, target: Float64Array, offset: number): number {
    if (this.#isSpread) return this.#values.copyTo(key, target, offset);
    let next = offset;
    for (const value of copyOf(this.#values, TOGETHER)) {
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
    for (const value of copyOf(this.#values, this.#isSpread ? edgeKey : TOGETHER)) {
      if (isBeyond(value, edge)) count += 1;
    }
    if (!this.#isSpread) return count;
    for (let key = 0; key < KEYS; key += 1) if (isBeyond(key, edgeKey)) count += this.#values.count(key);
    return count;
  }

  #spreadOut(): void {
    const values = copyOf(this.#values, TOGETHER);
    const ids = this.#ids === null ? null : copyOf(this.#ids, TOGETHER);
    this.#values = new NumberGroups("length", KEYS);
    this.#ids = ids === null ? null : new NumberGroups("whole", KEYS);
    this.#isSpread = true;
    this.#count = 0;
    for (const [index, value] of values.entries()) this.record(value, ids?.[index] ?? 0);
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

function copyOf(groups: NumberGroups, group: number): Float64Array {
  const copy = new Float64Array(groups.count(group));
  groups.copyTo(group, copy, 0);
  return copy;
}
