import { logChoose } from "./distributions.ts";

/**
 * Fisher's exact test of a 2×2 table, two-sided: the probability of all tables with the same margins that are at most as
 * likely as this one.
 *
 *              slow   other
 *   with        a       b
 *   without     c       d
 */
export function fisherExact(a: number, b: number, c: number, d: number): number {
  const [withIt, slow, all] = [a + b, a + c, a + b + c + d];
  const logOf = (x: number) => logChoose(withIt, x) + logChoose(all - withIt, slow - x) - logChoose(all, slow);
  const limit = logOf(a) + 1e-7;
  let sum = 0;
  for (let x = Math.max(0, slow - (all - withIt)); x <= Math.min(withIt, slow); x += 1) {
    const log = logOf(x);
    if (log <= limit) sum += Math.exp(log);
  }
  return Math.min(1, sum);
}

/** For a 2×k table, the smallest p of a category against all others, times the number of categories (Bonferroni). */
export function fisherBestCategory(rows: readonly { readonly slow: number; readonly other: number }[]): {
  readonly index: number;
  readonly p: number;
} {
  const slow = rows.reduce((sum, row) => sum + row.slow, 0);
  const other = rows.reduce((sum, row) => sum + row.other, 0);
  const values = rows.map((row) => fisherExact(row.slow, row.other, slow - row.slow, other - row.other));
  const least = Math.min(...values);
  return { index: values.indexOf(least), p: Math.min(1, least * rows.length) };
}
