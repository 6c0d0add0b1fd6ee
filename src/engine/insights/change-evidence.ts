import { logChoose, normalQuantileAbove } from "../stats/distributions.ts";
import { percentileOf, type Sample } from "../stats/percentile.ts";
import { superiorityOf } from "../stats/ranks.ts";

/**
 * How many values are needed to detect a change. With n values now and m before, they suffice if 1/n + 1/m is at most
 * 1/`size`. If `size` is infinite, no number of values suffices.
 */
export interface Evidence {
  readonly size: number;
}

/** The quantile of the normal distribution with which nine of ten changes are detected. */
const Z_POWER = 1.282;

/** The largest growth that is looked for. */
const MOST_GROWTH = 64;

/**
 * The evidence that the rank test needs to detect that all values grew by the factor `growth`. It is computed from the
 * share of pairs in which the grown value is larger (Noether, 1987). `significant`: a change counts below this p.
 */
export function middleEvidence(sample: Sample, growth: number, significant: number): Evidence {
  const grown = { count: sample.count, values: Float64Array.from(sample.values, (value) => value * growth) };
  const superiority = superiorityOf(grown, sample);
  // If all values are 0, any other value shows a change.
  if (superiority === 0.5) return { size: 0 };
  // If nothing changed, the variance of `superiority` is about `(1/n + 1/m) / 12`. Otherwise,
  // `superiority × (1 − superiority)` is an upper bound of the factor that replaces 1/12.
  const spread = Math.min(Math.sqrt(1 / 12), Math.sqrt(superiority * (1 - superiority)));
  const { size } = evidenceOf(Math.sqrt(1 / 12), spread, superiority - 0.5, significant);
  // The estimate is too small for few values: without overlap, n values on each side give at best p = 2 / C(2n, n).
  let each = 1;
  while (2 * Math.exp(-logChoose(2 * each, each)) >= significant) each += 1;
  return { size: Math.max(size, each / 2) };
}

/**
 * The evidence needed to detect, from the share of values above a percentile, that all values grew by the factor
 * `growth`. `share`: the percentile, from 0 to 1.
 */
export function tailEvidence({ values }: Sample, share: number, growth: number, significant: number): Evidence {
  const cut = percentileOf(values, share);
  return rateEvidence(shareAbove(values, cut / growth), shareAbove(values, cut), significant);
}

/** The evidence that Fisher's test needs to detect that two shares (0 to 1) differ. */
export function rateEvidence(now: number, before: number, significant: number): Evidence {
  const middle = (now + before) / 2;
  const spread = Math.sqrt(middle * (1 - middle));
  return evidenceOf(spread, spread, now - before, significant);
}

/**
 * Why `now` values, compared with `before` values from `sessions` baseline sessions, are too few to show a change;
 * `null` if they are enough. The note rounds the number needed, since it is an estimate.
 */
export function noteOf({ size }: Evidence, now: number, before: number, sessions: number): string | null {
  if (1 / now + 1 / before <= 1 / size) return null;
  // `each`: how many values each session needs if all sessions have equally many. `all`: how many values the baseline
  // sessions need together.
  const [each, all] = [size * (1 + 1 / sessions), size * (sessions + 1)];
  if (!Number.isFinite(each)) return `can't tell: n = ${now}`;
  if (before >= all) return neededText(now, 1 / (1 / size - 1 / before), "");
  return now < each ? neededText(now, each, "") : neededText(before, all, " in the baseline");
}

function evidenceOf(usual: number, changed: number, distance: number, significant: number): Evidence {
  if (distance === 0) return { size: Number.POSITIVE_INFINITY };
  const z = normalQuantileAbove(significant / 2);
  return { size: ((z * usual + Z_POWER * changed) / distance) ** 2 };
}

/**
 * The smallest growth of all values that `now` values, compared with the baseline, would have shown nine times of ten,
 * such as 1.3; `null` if no growth up to 64 would.
 */
export function shownGrowth(baseline: Sample, now: number, significant: number): number | null {
  const isShown = (growth: number) =>
    1 / now + 1 / baseline.count <= 1 / middleEvidence(baseline, growth, significant).size;
  if (!isShown(MOST_GROWTH)) return null;
  let [low, high] = [1, MOST_GROWTH];
  while (high / low > 1.01) {
    const middle = Math.sqrt(low * high);
    if (isShown(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function shareAbove(values: ArrayLike<number>, cut: number): number {
  let above = 0;
  for (let index = 0; index < values.length; index += 1) if ((values[index] as number) > cut) above += 1;
  return above / values.length;
}

function neededText(count: number, needed: number, where: string): string {
  return `can't tell: n = ${count}${where}, about ${roundedUp(needed)} needed`;
}

/**
 * Rounds up to a whole number below 20, to tens below 1,000, and to two digits from there on: 58 → 60, 1,770 → 1,800.
 */
function roundedUp(needed: number): number {
  const step = needed < 20 ? 1 : 10 ** Math.max(1, Math.floor(Math.log10(needed)) - 1);
  return Math.ceil(needed / step) * step;
}
