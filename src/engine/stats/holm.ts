/**
 * Adjusts p values by Holm's step-down correction. If all results below `alpha` are accepted, the probability that one
 * or more of them are false is at most `alpha`. `tests`: how many there were, if some without a result count too.
 */
export function holm(values: readonly number[], tests: number = values.length): readonly number[] {
  const order = values.map((_, index) => index).sort((left, right) => (values[left] ?? 1) - (values[right] ?? 1));
  const corrected = new Array<number>(values.length).fill(1);
  let least = 0;
  for (const [rank, index] of order.entries()) {
    least = Math.max(least, Math.min(1, (values[index] ?? 1) * (tests - rank)));
    corrected[index] = least;
  }
  return corrected;
}

/**
 * The level of each of several tests, so that the probability of one or more false results is at most `alpha`. Tests
 * that cannot give a p below the level do not count (Tarone, 1990). `least`: the smallest p that each test can give.
 */
export function sharedLevel(least: readonly number[], alpha: number): number {
  let tests = 1;
  while (least.filter((p) => p < alpha / tests).length > tests) tests += 1;
  return alpha / tests;
}
