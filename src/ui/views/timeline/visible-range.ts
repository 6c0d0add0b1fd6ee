import type { TimeRange } from "../../../engine/messages/timeline-messages.ts";
import type { Instant, Milliseconds } from "../../../engine/model/units.ts";

/** Least length of the range in ms; smaller differences are noise of the clock. */
const SHORTEST: Milliseconds = 1;

/** Initial length of the range in ms, enough for a page load and the requests that it causes. */
const FIRST_LENGTH: Milliseconds = 5_000;

/** Margin on both sides, as a share of the range, so that no bar reaches an edge. */
const ROOM = 0.02;

export function lengthOf({ from, to }: TimeRange): Milliseconds {
  return to - from;
}

/** Scales the range by `factor` within `whole`; the instant `at` keeps its position on the screen. */
export function zoomed(range: TimeRange, factor: number, at: number, whole: TimeRange): TimeRange {
  const length = Math.min(Math.max(lengthOf(range) * factor, SHORTEST), lengthOf(whole));
  const share = (at - range.from) / lengthOf(range);
  return within(at - share * length, length, whole);
}

/** Moves the range by `by` ms, within `whole`. */
export function moved(range: TimeRange, by: Milliseconds, whole: TimeRange): TimeRange {
  return within(range.from + by, lengthOf(range), whole);
}

/** Moves one edge to the instant `at`, within `whole` and not beyond the other edge. */
export function resized(range: TimeRange, edge: "from" | "to", at: number, whole: TimeRange): TimeRange {
  const { from, to } = range;
  if (edge === "from") return between(Math.max(whole.from, Math.min(at, to - SHORTEST)), to);
  return between(from, Math.min(whole.to, Math.max(at, from + SHORTEST)));
}

/** The range between two instants, in either order. */
export function spanned(one: number, other: number): TimeRange {
  const from = Math.min(one, other);
  return between(from, Math.max(one, other, from + SHORTEST));
}

/** The range with a margin on both sides. */
export function fitted({ from, to }: TimeRange): TimeRange {
  const room = Math.max(SHORTEST, (to - from) * ROOM);
  return between(from - room, to + room);
}

/** The latest 5 seconds of `whole`, with margins. If `whole` is shorter, empty time follows. */
export function latestOf(whole: TimeRange): TimeRange {
  const from = Math.max(whole.from, whole.to - FIRST_LENGTH) - FIRST_LENGTH * ROOM;
  return between(from, from + FIRST_LENGTH * (1 + 2 * ROOM));
}

/** The latest 5 seconds of `whole`, or all of it if that is shorter, with margins. */
export function latestWithin(whole: TimeRange): TimeRange {
  return lengthOf(whole) < FIRST_LENGTH ? fitted(whole) : latestOf(whole);
}

/** The smallest range that contains both ranges: the limit for zooming out and moving. */
export function bothOf(one: TimeRange, other: TimeRange): TimeRange {
  return between(Math.min(one.from, other.from), Math.max(one.to, other.to));
}

export function overlaps(one: TimeRange, other: TimeRange): boolean {
  return one.from <= other.to && other.from <= one.to;
}

function within(from: number, length: Milliseconds, whole: TimeRange): TimeRange {
  const start = Math.min(Math.max(from, whole.from), whole.to - length);
  return between(start, start + length);
}

function between(from: number, to: number): TimeRange {
  return Object.freeze({ from: from as Instant, to: to as Instant });
}
