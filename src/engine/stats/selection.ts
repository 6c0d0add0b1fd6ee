/**
 * Returns the value with this rank (0 is the smallest) among the first `count` values. Reorders these values, so that
 * smaller ones come before it and larger ones after it. Hoare's selection with the median of three as pivot: linear on
 * average, in place.
 */
export function selectRank(values: Float64Array, count: number, rank: number): number {
  let left = 0;
  let right = count - 1;
  while (left < right) {
    const pivot = middleOf(values, left, right);
    let low = left - 1;
    let high = right + 1;
    for (;;) {
      do low += 1;
      while (at(values, low) < pivot);
      do high -= 1;
      while (at(values, high) > pivot);
      if (low >= high) break;
      const moved = at(values, low);
      values[low] = at(values, high);
      values[high] = moved;
    }
    if (rank <= high) right = high;
    else left = high + 1;
  }
  return at(values, rank);
}

function middleOf(values: Float64Array, left: number, right: number): number {
  const first = at(values, left);
  const middle = at(values, (left + right) >>> 1);
  const last = at(values, right);
  if (first < middle) return Math.max(first, Math.min(middle, last));
  return Math.max(middle, Math.min(first, last));
}

function at(values: Float64Array, index: number): number {
  return values[index] as number;
}
