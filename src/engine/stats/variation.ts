/** The standard deviation of a whole population. */
export function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)));
}

/** The coefficient of variation: the standard deviation divided by the mean. */
export function variationOf(values: readonly number[]): number {
  return deviationOf(values) / meanOf(values);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
