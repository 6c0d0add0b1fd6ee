import { createHistogram, type RecordableHistogram } from "node:perf_hooks";

/** Members of Node 26 that its types lack. */
interface TestingHistogram extends RecordableHistogram {
  mannWhitneyTest(other: RecordableHistogram): { readonly pValue: number };
  percentileCI(percentile: number): { readonly lower: number; readonly upper: number };
}

function histogramOf(values: readonly number[]): TestingHistogram {
  const histogram = createHistogram() as TestingHistogram;
  for (const value of values) histogram.record(value);
  return histogram;
}

/** The p of the Mann-Whitney test, as Node computes it; values are whole numbers from 1. */
export function rankTestOf(left: readonly number[], right: readonly number[]): number {
  return histogramOf(left).mannWhitneyTest(histogramOf(right)).pValue;
}

/** The 95 % interval of a percentile (0 to 100), as Node computes it; values are whole numbers from 1. */
export function percentileIntervalOf(
  values: readonly number[],
  percentile: number,
): { readonly lower: number; readonly upper: number } {
  return histogramOf(values).percentileCI(percentile);
}
