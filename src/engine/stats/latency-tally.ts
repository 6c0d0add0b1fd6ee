import type { Milliseconds } from "../model/units.ts";
import { NumberGroups } from "./number-groups.ts";
import { percentileBy } from "./percentile.ts";
import { selectRank } from "./selection.ts";

/** The one group of a tally that is small. */
const TOGETHER = 0;

/** Our choice: up to so many values lie together, where nothing else is asked for; an endpoint with few requests costs no buckets. */
const MOST_TOGETHER = 4_096;

/**
 * Lengths of time, all of them kept, in logarithmic buckets (32 to the octave):
 *
 *   key   … │ 4.000─4.125 │ 4.125─4.250 │ 4.250─4.375 │ …
 *   holds   │     812     │    1,204    │     640     │       a percentile looks into one bucket, exactly
 */
export class LatencyTally {
  /** While small, one group for all; then one for each key. */
  #values = new NumberGroups("length", 1);
  /** Beside each value the exchange it is from; `null` where nobody will ask. */
  #ids: NumberGroups | null;
  #isSpread = false;
  #count = 0;
  #greatest = Number.NEGATIVE_INFINITY;

  constructor({ keepsIds }: { readonly keepsIds: boolean }) {
    this.#ids = keepsIds ? new NumberGroups("whole", 1) : null;
  }

  get count(): number {
    return this.#count;
  }

  /** `id` matters only to a tally that keeps ids. */
  record(value: Milliseconds, id: number): void {
    if (this.#count === MOST_TOGETHER && !this.#isSpread) this.#spreadOut();
    const group = this.#isSpread ? keyOf(value) : TOGETHER;
    this.#values.push(group, value);
    this.#ids?.push(group, id);
    this.#count += 1;
    if (value > this.#greatest) this.#greatest = value;
  }

  /** Of all values; minus infinity of none. */
  get greatest(): Milliseconds {
    return this.#greatest;
  }

  /** Percentiles of the values, one for each share (0 to 1), exact; `null` of nothing. */
  percentiles(shares: readonly number[]): Milliseconds[] | null {
    if (this.#count === 0) return null;
    let group = Number.NaN;
    let values: Float64Array = room;
    return shares.map((share) =>
      percentileBy(this.#count, share, (rank) => {
        const place = this.#placeOf(rank);
        if (place.group !== group) values = lookedAt(this.#values, place.group);
        group = place.group;
        return selectRank(values, values.length, rank - place.before);
      }),
    );
  }

  /** How many values are less than `edge`. */
  countBelow(edge: Milliseconds): number {
    return this.#counted(edge, (one, other) => one < other);
  }

  /** How many values are greater than `limit`. */
  countAbove(limit: Milliseconds): number {
    return this.#counted(limit, (one, other) => one > other);
  }

  /**
   * Visits each value greater than `limit`, bucket by bucket from the greatest on, and in no order within one; `isEnough` is asked
   * before each whether that will do.
   */
  forEachAbove(
    limit: Milliseconds,
    visit: (value: Milliseconds, id: number) => void,
    isEnough: () => boolean = () => false,
  ): void {
    const least = this.#isSpread ? keyOf(limit) : TOGETHER;
    for (let group = this.#isSpread ? KEYS - 1 : TOGETHER; group >= least; group -= 1) {
      if (this.#values.count(group) === 0) continue;
      if (isEnough()) return;
      const values = copyOf(this.#values, group);
      const ids = this.#ids === null ? null : copyOf(this.#ids, group);
      for (let index = 0; index < values.length; index += 1) {
        const value = values[index] as number;
        if (value > limit) visit(value, ids?.[index] ?? 0);
      }
    }
  }

  /** The group that holds the rank-th smallest value (from 0), and how many values lie in groups before it. */
  #placeOf(rank: number): { readonly group: number; readonly before: number } {
    let [group, before] = [TOGETHER, 0];
    for (; rank >= before + this.#values.count(group); group += 1) before += this.#values.count(group);
    return { group, before };
  }

  /** Values on one side of `edge`: only those of its own key need be looked at. */
  #counted(edge: Milliseconds, isBeyond: (one: number, other: number) => boolean): number {
    const edgeKey = keyOf(edge);
    let count = 0;
    for (const value of lookedAt(this.#values, this.#isSpread ? edgeKey : TOGETHER)) {
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

const bits = new DataView(new ArrayBuffer(8));

/** Our choice: everything below a microsecond shares one bucket, everything from 2^24 ms (4.6 hours) another. */
const KEYS = 34 * 32;
const LOWEST = rawKeyOf(2 ** -10) - 1;

/** From 0 to less than KEYS; never falls while the value grows. */
function keyOf(value: Milliseconds): number {
  return Math.min(KEYS - 1, Math.max(0, rawKeyOf(value) - LOWEST));
}

/** Exponent and the first five bits of the mantissa. Nothing is below 0. */
function rawKeyOf(value: Milliseconds): number {
  bits.setFloat64(0, Math.max(0, value));
  return bits.getUint32(0) >>> 15;
}

/** Where groups are looked at, one after the other: an array made for each look would be megabytes a second, and V8 collects all for that. */
let room = new Float64Array(MOST_TOGETHER);

/** Good until the next look. */
function lookedAt(groups: NumberGroups, group: number): Float64Array {
  const count = groups.count(group);
  if (room.length < count) room = new Float64Array(2 * count);
  groups.copyTo(group, room, 0);
  return room.subarray(0, count);
}

function copyOf(groups: NumberGroups, group: number): Float64Array {
  const copy = new Float64Array(groups.count(group));
  groups.copyTo(group, copy, 0);
  return copy;
}
