/**
 * Ranks, from 1. Equal values get the mean of their ranks. `ties`: the sum of t³ - t over all groups of t equal values.
 */
export interface Ranks {
  readonly ranks: Float64Array;
  readonly ties: number;
}

/** The rank of each value, in the order of the values. */
export function ranksOf(values: ArrayLike<number>): Ranks {
  const order = Uint32Array.from({ length: values.length }, (_, index) => index).sort(
    (left, right) => (values[left] as number) - (values[right] as number),
  );
  const ranks = new Float64Array(values.length);
  let ties = 0;
  for (let from = 0; from < order.length; ) {
    const value = values[order[from] as number];
    let to = from + 1;
    while (to < order.length && values[order[to] as number] === value) to += 1;
    const size = to - from;
    ties += size ** 3 - size;
    for (let index = from; index < to; index += 1) ranks[order[index] as number] = (from + 1 + to) / 2;
    from = to;
  }
  return { ranks, ties };
}
