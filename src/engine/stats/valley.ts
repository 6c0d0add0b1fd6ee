/** Two modes count as separate above this separation. */
const LEAST_SEPARATION = 0.75;

/** A cut between two modes. */
export interface Valley {
  /** Halfway between the largest value below the cut and the smallest above it, on a logarithmic scale. */
  readonly cut: number;
  /** The share of the logarithms' variance that the cut explains. */
  readonly separation: number;
}

/**
 * The cut of positive, ascending values that explains most of the variance of their logarithms (Otsu). Each side must
 * have at least `least` values. `null` if the cut's separation is at most `LEAST_SEPARATION`. Cut in the middle, a
 * normal distribution has a separation of 0.64, and a uniform one 0.75.
 */
export function valleyOf(ascending: ArrayLike<number>, least: number): Valley | null {
  const count = ascending.length;
  if (count < 2 * least) return null;
  const logs = Float64Array.from({ length: count }, (_, index) => Math.log(Math.max(1e-6, ascending[index] as number)));
  const sum = logs.reduce((total, log) => total + log, 0);
  const mean = sum / count;
  const variance = logs.reduce((total, log) => total + (log - mean) ** 2, 0) / count;
  if (variance === 0) return null;
  let best: { readonly index: number; readonly between: number } = { index: -1, between: 0 };
  let below = 0;
  for (let index = 1; index <= count - least; index += 1) {
    below += logs[index - 1] as number;
    if (index < least || ascending[index] === ascending[index - 1]) continue;
    const distance = below / index - (sum - below) / (count - index);
    const between = ((index * (count - index)) / count ** 2) * distance ** 2;
    if (between > best.between) best = { index, between };
  }
  const separation = best.between / variance;
  if (best.index < 0 || separation <= LEAST_SEPARATION) return null;
  const cut = Math.exp(((logs[best.index - 1] as number) + (logs[best.index] as number)) / 2);
  return { cut, separation };
}
