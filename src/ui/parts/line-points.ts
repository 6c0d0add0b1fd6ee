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
