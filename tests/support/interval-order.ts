import { type Interval, isWaitedFor } from "../../src/engine/insights/interval.ts";
import type { Exchange } from "../../src/engine/model/exchange.ts";

/** The order in which `ParallelSweep` expects intervals: by start, then the longer first, then the lower id. */
export function byStart(left: Omit<Interval, "client">, right: Omit<Interval, "client">): number {
  return left.start - right.start || right.end - left.end || left.id - right.id;
}

function endOf({ start, end }: Interval): number {
  return end - Math.min(1, (end - start) * 0.1);
}

function overlaps(one: Interval, other: Interval): boolean {
  const [a, b] = [one, other].toSorted((left, right) => left.start - right.start || right.end - left.end) as [
    Interval,
    Interval,
  ];
  return a.client === b.client && b.start < endOf(a);
}

/**
 * How many intervals beside this one can run one after another, at most: the next is always the one that ends first.
 */
function inTurnBeside(one: Interval, intervals: readonly Interval[]): number {
  const beside = intervals.filter((other) => other !== one && endOf(other) > other.start && overlaps(one, other));
  const taken: Interval[] = [];
  for (const other of beside.toSorted((left, right) => endOf(left) - endOf(right)))
    if (!taken.some((before) => overlaps(before, other))) taken.push(other);
  return taken.length;
}

/** The parallel groups as lists of ids, found by comparing all pairs of intervals. */
export function groupsByPairs(all: readonly Interval[]): string[] {
  const intervals = all.filter((one) => inTurnBeside(one, all) <= 5);
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

/**
 * The span of an exchange that parallel groups count; `null` for one in flight, in no statistic, or without an end to
 * wait for.
 */
export function intervalOf(exchange: Exchange): Interval | null {
  const { id, client, instants, endTime } = exchange;
  if (endTime === null || !isWaitedFor(exchange)) return null;
  return { id, client, start: instants.startTime, end: instants.responseEnd ?? endTime };
}
