/** The smallest of 1, 2, 5, 10, 20, 50 … that is at least `value`; 1 for anything below. For the end of an axis. */
export function niceCeiling(value: number): number {
  if (!(value > 1)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  for (const step of [1, 2, 5, 10]) if (step * power >= value) return step * power;
  return 10 * power;
}
