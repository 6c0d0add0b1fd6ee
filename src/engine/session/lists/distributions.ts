import type { Distributions } from "../../messages/compare-messages.ts";
import { percentileOf, type Sample } from "../../stats/percentile.ts";

/** The number of bins of the axis that both samples share. */
const BINS = 28;

/**
 * The axis ends at this percentile of the sample in which it is larger. One outlier therefore does not leave the axis
 * nearly empty. Larger values are in the last bin.
 */
const HIGHEST = 0.99;

/** The smallest value at which the logarithmic axis can begin, in ms. Smaller latencies are in the first bin. */
const LEAST = 0.01;

/**
 * Two samples, neither of them empty, as histograms on one logarithmic axis. Each bin is relative to the sample's
 * fullest bin.
 */
export function distributionsOf(left: Sample, right: Sample): Distributions {
  const lowest = Math.min(left.values[0] ?? LEAST, right.values[0] ?? LEAST);
  const from = Math.max(LEAST, lowest);
  const highest = Math.max(percentileOf(left.values, HIGHEST), percentileOf(right.values, HIGHEST));
  const to = Math.max(highest, from * 1.01);
  const sharesOf = ({ values }: Sample): readonly number[] => {
    const counts = Array.from({ length: BINS }, () => 0);
    for (let index = 0; index < values.length; index += 1) {
      const position = Math.log(Math.max(values[index] as number, from) / from) / Math.log(to / from);
      const bin = Math.min(BINS - 1, Math.floor(position * BINS));
      counts[bin] = (counts[bin] as number) + 1;
    }
    const most = Math.max(...counts);
    return Object.freeze(counts.map((count) => count / most));
  };
  return Object.freeze({ from, to, left: sharesOf(left), right: sharesOf(right) });
}
