/** A point of a chart line; a point without a value is a gap. */
export interface LinePoint {
  readonly time: unknown;
  readonly value?: number;
}

/**
 * Whether `next` only extends `held`. The value of the newest held point may change; all points before it are equal.
 * After any other change, the line must be set anew: an update would keep old points, or be rejected because a point is
 * older than the newest.
 */
export function goesOn(held: readonly LinePoint[], next: readonly LinePoint[]): boolean {
  const newest = held.length - 1;
  if (newest < 0 || next[newest]?.time !== held[newest]?.time) return false;
  return held.slice(0, newest).every(({ time, value }, at) => time === next[at]?.time && value === next[at]?.value);
}

/** Pixels left of the first point. */
const MARGIN = 4;

/**
 * The visible range of a chart's axis, in indices of points. The first point is at the left edge, and the last one
 * `room` px from the right edge. `null` for fewer than two points or for no width.
 */
export function rangeAcross(
  count: number,
  width: number,
  room: number,
): { readonly from: number; readonly to: number } | null {
  const spacing = (width - room - MARGIN) / (count - 1);
  if (count < 2 || spacing <= 0) return null;
  // Each point is in the middle of a slot of the width `spacing`; the axis ends with the last slot.
  const from = 0.5 - MARGIN / spacing;
  return { from, to: from + width / spacing - 1 };
}
