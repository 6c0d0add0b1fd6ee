/**
 * docs/specification.md, Percentile: linear interpolation at rank (count - 1) × `share`. `count`: the number of values,
 * at least 1; `share`: 0 to 1; `valueAt`: returns the value with a rank, 0 for the smallest.
 */
export function percentileBy(count: number, share: number, valueAt: (rank: number) => number): number {
  if (count < 1) throw new Error("percentile of nothing");
  const rank = (count - 1) * share;
  const below = Math.floor(rank);
  const low = valueAt(below);
  if (rank === below) return low;
  return low + (valueAt(below + 1) - low) * (rank - below);
}

export function percentileOf(ascending: ArrayLike<number>, share: number): number {
  return percentileBy(ascending.length, share, (rank) => ascending[rank] ?? Number.NaN);
}

/** The median of values in any order; 0 if there are none. */
export function medianOf(values: ArrayLike<number>): number {
  return values.length === 0 ? 0 : percentileOf(new Float64Array(values).sort(), 0.5);
}
