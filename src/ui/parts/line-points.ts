/** A point of a line in a chart; without a value it is a gap. */
export interface LinePoint {
  readonly time: unknown;
  readonly value?: number;
}

/**
 * Whether `next` is the line that is held and more of it: all but the newest point stands as it was, and the newest is still
 * there, whatever its value is by now. An update would leave the newest of another line where it was, and may not be older.
 */
export function goesOn(held: readonly LinePoint[], next: readonly LinePoint[]): boolean {
  const newest = held.length - 1;
  if (newest < 0 || next[newest]?.time !== held[newest]?.time) return false;
  return held.slice(0, newest).every(({ time, value }, at) => time === next[at]?.time && value === next[at]?.value);
}

/** Left of the first point, px. Our choice. */
const MARGIN = 4;

/**
 * The stretch of a chart's axis, which counts in points, that has the first of several at its left edge and leaves `room` px
 * right of the last. `null` where there are no two, or there is no width for them.
 */
export function rangeAcross(
  count: number,
  width: number,
  room: number,
): { readonly from: number; readonly to: number } | null {
  const spacing = (width - room - MARGIN) / (count - 1);
  if (count < 2 || spacing <= 0) return null;
  // The axis has each point in the middle of a slot as wide as the spacing, and reaches to the end of the last one.
  const from = 0.5 - MARGIN / spacing;
  return { from, to: from + width / spacing - 1 };
}
