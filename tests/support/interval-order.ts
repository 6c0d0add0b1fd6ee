import type { Interval } from "../../src/engine/insights/interval.ts";

/** As `ParallelSweep` wants intervals: by start, of two that start together the longer first, then the earlier id. */
export function byStart(left: Omit<Interval, "client">, right: Omit<Interval, "client">): number {
  return left.start - right.start || right.end - left.end || left.id - right.id;
}

/** The parallel groups as lists of ids, for which every pair is looked at. */
export function groupsByPairs(intervals: readonly Interval[]): string[] {
  const overlaps = (one: Interval, other: Interval) => {
    const [a, b] = [one, other].toSorted((left, right) => left.start - right.start || right.end - left.end) as [
      Interval,
      Interval,
    ];
    return a.client === b.client && b.start < a.end - Math.min(1, (a.end - a.start) * 0.1);
  };
  const groups: Interval[][] = [];
  for (const interval of intervals) {
    const touched = groups.filter((group) => group.some((member) => overlaps(member, interval)));
    const merged = [interval, ...touched.flat()];
    for (const group of touched) groups.splice(groups.indexOf(group), 1);
    groups.push(merged);
  }
  return groups
    .filter((group) => group.length > 1)
    .map((group) =>
      group
        .map(({ id }) => id)
        .toSorted((left, right) => left - right)
        .join(),
    );
}
