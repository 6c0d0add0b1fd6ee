/** ln(n!) of a whole number, from a table that grows as needed. */
function logFactorial(n: number): number {
  for (let next = LOG_FACTORIALS.length; next <= n; next += 1)
    LOG_FACTORIALS.push((LOG_FACTORIALS[next - 1] ?? 0) + Math.log(next));
  return LOG_FACTORIALS[n] ?? 0;
}

const LOG_FACTORIALS: number[] = [0];

/** ln of the binomial coefficient. */
export function logChoose(total: number, chosen: number): number {
  return logFactorial(total) - logFactorial(chosen) - logFactorial(total - chosen);
}

/** The probability of exactly `hits` hits among `count`, if each has the probability `share` (0 to 1). */
export function binomial(hits: number, count: number, share: number): number {
  if (share <= 0) return hits === 0 ? 1 : 0;
  if (share >= 1) return hits === count ? 1 : 0;
  return Math.exp(logChoose(count, hits) + hits * Math.log(share) + (count - hits) * Math.log1p(-share));
}

/** The probability of `hits` hits or more. */
export function binomialAtLeast(hits: number, count: number, share: number): number {
  let below = 0;
  for (let fewer = 0; fewer < hits; fewer += 1) below += binomial(fewer, count, share);
  return Math.max(0, 1 - below);
}

/**
 * The share of a standard normal distribution above `z`. The relative error is below 1.2e-7 (Numerical Recipes, erfcc).
 */
export function normalAbove(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + x / 2);
  const tail = t * Math.exp(-x * x + polynomial(ERFC, t));
  return z >= 0 ? tail / 2 : 1 - tail / 2;
}

/** The `z` above which this share (0 to 0.5) of a standard normal distribution lies: the inverse of `normalAbove`. */
export function normalQuantileAbove(share: number): number {
  let [low, high] = [0, 40];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (normalAbove(middle) > share) low = middle;
    else high = middle;
  }
  return high;
}

const ERFC = [
  -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223,
  0.17087277,
];

function polynomial(coefficients: readonly number[], at: number): number {
  return coefficients.reduceRight((sum, coefficient) => sum * at + coefficient, 0);
}

/** The share of Student's t distribution with `freedom` degrees of freedom that is outside ±t. */
export function studentOutside(t: number, freedom: number): number {
  return incompleteBeta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

/** The regularized incomplete beta function, by its continued fraction (Lentz). */
function incompleteBeta(a: number, b: number, x: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(b, a, 1 - x);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= 300; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d);
    c = nonZero(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d);
    c = nonZero(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-14) break;
  }
  return front * fraction;
}

function nonZero(value: number): number {
  return Math.abs(value) < 1e-300 ? 1e-300 : value;
}

/** ln of the gamma function, for x > 0 (Lanczos, g = 7). */
function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const base = x - 1 + 7.5;
  const sum = LANCZOS.reduce(
    (total, coefficient, index) => total + coefficient / (x - 1 + index + 1),
    0.9999999999998099,
  );
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(base) - base + Math.log(sum);
}

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
];
