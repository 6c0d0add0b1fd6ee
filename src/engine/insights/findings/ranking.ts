import type { Finding } from "../../model/finding.ts";
import { isBesidePath } from "../../model/load-gain.ts";

/** How many findings are shown before one line stands for the rest, so that a person reads the list in a minute. */
export const SHOWN_FIRST = 10;

/**
 * docs/specification.md, Shape: a `possible` finding ranks below each certain or likely finding that has at least this
 * share of the possible finding's time.
 */
const OUTRANKED_FROM = 0.5;

/**
 * Sorts findings by time. At equal time, those off the critical path of every page load come last; then by bytes, then
 * by count. A `possible` finding never ranks above a certain or likely one with at least half of its time.
 */
export function ranked<One extends Finding>(findings: readonly One[]): readonly One[] {
  const byCost = findings.toSorted(compareCost);
  const sure = byCost.filter(({ confidence }) => confidence !== "possible");
  const order: One[] = [];
  let next = 0;
  for (const possible of byCost.filter(({ confidence }) => confidence === "possible")) {
    const limit = (possible.time ?? 0) * OUTRANKED_FROM;
    for (let one = sure[next]; one !== undefined; one = sure[next]) {
      if (compareCost(one, possible) > 0 && (one.time ?? 0) < limit) break;
      order.push(one);
      next += 1;
    }
    order.push(possible);
  }
  return [...order, ...sure.slice(next)];
}

function compareCost(left: Finding, right: Finding): number {
  return (
    (right.time ?? -1) - (left.time ?? -1) ||
    Number(isBeside(left)) - Number(isBeside(right)) ||
    (right.bytes ?? -1) - (left.bytes ?? -1) ||
    right.count - left.count ||
    keyOf(left).localeCompare(keyOf(right), "en")
  );
}

function isBeside({ loadGain }: Finding): boolean {
  return loadGain !== undefined && isBesidePath(loadGain);
}

/** A key that makes the order independent of the order in which findings were detected. */
function keyOf({ kind, confidence, endpoint, origin, client, attribute }: Finding): string {
  return JSON.stringify([kind, confidence, endpoint, origin, client, attribute]);
}
