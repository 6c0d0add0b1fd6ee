import { lowerBound } from "../../stats/lower-bound.ts";

/* Sets of rows, each as an ascending list without repetition. */

/** Finding a row in a list takes this many times as long as reading the next row. */
const LOOK_UP = 8;

/** The rows that are in both lists. */
export function sharedRows(one: Uint32Array, other: Uint32Array): Uint32Array {
  const [few, many] = one.length < other.length ? [one, other] : [other, one];
  if (few.length === 0) return few;
  const [first, last] = [many[0] as number, many.at(-1) as number];
  const within = few.subarray(indexOf(few, first), indexOf(few, last + 1));
  const isWithoutGap = last - first === many.length - 1;
  if (isWithoutGap) return within;
  if (within.length * LOOK_UP < many.length) return within.filter((row) => many[indexOf(many, row)] === row);
  return kept(few, many, true);
}

export function otherRows(rows: Uint32Array, others: Uint32Array): Uint32Array {
  return others.length === 0 ? rows : kept(rows, others, false);
}

/** The rows that are in one of the lists or in both. */
export function joinedRows(one: Uint32Array, other: Uint32Array): Uint32Array {
  if (one.length === 0) return other;
  if (other.length === 0) return one;
  const joined = new Uint32Array(one.length + other.length);
  let [count, left, right] = [0, 0, 0];
  while (left < one.length && right < other.length) {
    const [first, second] = [one[left] as number, other[right] as number];
    joined[count] = Math.min(first, second);
    count += 1;
    if (first <= second) left += 1;
    if (second <= first) right += 1;
  }
  const rest = left < one.length ? one.subarray(left) : other.subarray(right);
  joined.set(rest, count);
  return joined.subarray(0, count + rest.length);
}

function kept(rows: Uint32Array, others: Uint32Array, isShared: boolean): Uint32Array {
  const found = new Uint32Array(rows.length);
  let [count, other] = [0, 0];
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index] as number;
    while (other < others.length && (others[other] as number) < row) other += 1;
    if ((other < others.length && others[other] === row) !== isShared) continue;
    found[count] = row;
    count += 1;
  }
  return found.subarray(0, count);
}

/** The index of the first row that is at least `row`. */
function indexOf(rows: Uint32Array, row: number): number {
  return lowerBound(0, rows.length, (index) => (rows[index] as number) >= row);
}
