import { logChoose } from "./distributions.ts";

/**
 * Fisher's exact test of a 2×2 table, two-sided: the probability of all tables with the same margins that are at most
 * as likely as this one.
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
