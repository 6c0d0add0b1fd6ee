import { largestOf } from "./draft.ts";

/** The smallest value; 0 if there is none. */
export function smallestOf(values: Iterable<number>): number {
  let smallest = Number.POSITIVE_INFINITY;
  for (const value of values) if (value < smallest) smallest = value;
  return smallest === Number.POSITIVE_INFINITY ? 0 : smallest;
}

/** The largest value less the smallest; 0 if there is none. */
export function spreadOf(values: readonly number[]): number {
  return largestOf(values) - smallestOf(values);
}

export function sumOf<One>(items: readonly One[], numberOf: (item: One) => number): number {
  return items.reduce((sum, item) => sum + numberOf(item), 0);
}

/** Each item with the one before it. */
export function pairsIn<One>(items: readonly One[]): readonly (readonly [One, One])[] {
  return items.slice(1).map((item, index) => [items[index] as One, item]);
}

/** The distinct values with their counts, the most frequent first; of equally frequent ones the first. */
export function byFrequency<One>(values: readonly One[]): readonly (readonly [One, number])[] {
  const counts = new Map<One, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, left], [, right]) => right - left);
}
