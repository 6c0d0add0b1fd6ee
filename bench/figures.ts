/** The median: the middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = low] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}

/** A quantile by the nearest rank; `share` is 0.99 for the p99. Sorts `values` in place. */
export function quantile(values: Float64Array, share: number): number {
  values.sort();
  return values[Math.min(values.length - 1, Math.ceil(values.length * share) - 1)] ?? Number.NaN;
}

export const MEBIBYTE = 1024 * 1024;
