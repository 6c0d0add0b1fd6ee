import { studentOutside } from "./distributions.ts";
import { ranksOf } from "./ranks.ts";

export interface Correlation {
  /** From -1 to 1; 0 if all values of one side are equal. */
  readonly rho: number;
  /** The two-sided p, by Student's t with n - 2 degrees of freedom. */
  readonly p: number;
}

/** Spearman's rank correlation of pairs. With fewer than 3 pairs, `rho` is 0 and `p` is 1. */
export function spearman(xs: ArrayLike<number>, ys: ArrayLike<number>): Correlation {
  return correlationOfRanks(ranksOf(xs).ranks, ranksOf(ys).ranks);
}

/** Pearson's correlation of values that are already ranks. */
export function correlationOfRanks(xs: ArrayLike<number>, ys: ArrayLike<number>): Correlation {
  const n = xs.length;
  const rho = pearson(xs, ys);
  if (n < 3 || rho === 0) return { rho: 0, p: 1 };
  const rest = 1 - rho * rho;
  if (rest <= 1e-12) return { rho, p: studentOutside(rho * Math.sqrt((n - 2) / 1e-12), n - 2) };
  return { rho, p: studentOutside(rho * Math.sqrt((n - 2) / rest), n - 2) };
}

/** Pearson's correlation; 0 if all values of one side are equal. */
function pearson(xs: ArrayLike<number>, ys: ArrayLike<number>): number {
  const n = xs.length;
  let [sumX, sumY] = [0, 0];
  for (let index = 0; index < n; index += 1) {
    sumX += xs[index] as number;
    sumY += ys[index] as number;
  }
  const [meanX, meanY] = [sumX / n, sumY / n];
  let [xx, yy, xy] = [0, 0, 0];
  for (let index = 0; index < n; index += 1) {
    const x = (xs[index] as number) - meanX;
    const y = (ys[index] as number) - meanY;
    xx += x * x;
    yy += y * y;
    xy += x * y;
  }
  return xx === 0 || yy === 0 ? 0 : Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)));
}
