/**
 * The end of an axis for values up to `value`: the smallest of 1, 2, 5, 10, 20, 50 … that is not below `value`; at
 * least 1.
 */
export function niceCeiling(value: number): number {
  if (!(value > 1)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  for (const step of [1, 2, 5, 10]) if (step * power >= value) return step * power;
  return 10 * power;
}
