import type { TimeRange } from "../../../engine/messages/timeline-messages.ts";
import type { Instant, Milliseconds } from "../../../engine/model/units.ts";

/** Closer there is nothing more to see: the clock tells fractions of a millisecond, and those are noise. Our choice. */
const SHORTEST: Milliseconds = 1;

/** How much is in sight at first. Our choice: a page load with what follows it. */
const FIRST_LENGTH: Milliseconds = 5_000;

/** Room beside what is shown, as a share of it, so that no bar touches an edge. */
const ROOM = 0.02;

export function lengthOf({ from, to }: TimeRange): Milliseconds {
  return to - from;
}

/** `factor` times as long about the moment `at`, which keeps its place on the screen; within `whole`. */
export function zoomed(stretch: TimeRange, factor: number, at: number, whole: TimeRange): TimeRange {
  const length = Math.min(Math.max(lengthOf(stretch) * factor, SHORTEST), lengthOf(whole));
  const share = (at - stretch.from) / lengthOf(stretch);
  return within(at - share * length, length, whole);
}

/** Moved by so many ms, as far as `whole` reaches. */
export function moved(stretch: TimeRange, by: Milliseconds, whole: TimeRange): TimeRange {
  return within(stretch.from + by, lengthOf(stretch), whole);
}

/** One edge moved to a moment; it never passes the other. */
export function resized(stretch: TimeRange, edge: "from" | "to", at: number, whole: TimeRange): TimeRange {
  const { from, to } = stretch;
  if (edge === "from") return between(Math.max(whole.from, Math.min(at, to - SHORTEST)), to);
  return between(from, Math.min(whole.to, Math.max(at, from + SHORTEST)));
}

/** All that lies between two moments, in either order. */
export function spanned(one: number, other: number): TimeRange {
  const from = Math.min(one, other);
  return between(from, Math.max(one, other, from + SHORTEST));
}

/** The whole session with a little room on both sides. */
export function fitted({ from, to }: TimeRange): TimeRange {
  const room = Math.max(SHORTEST, (to - from) * ROOM);
  return between(from - room, to + room);
}

/** The session's latest seconds, with room for what comes while it is young. */
export function latestOf(whole: TimeRange): TimeRange {
  const from = Math.max(whole.from, whole.to - FIRST_LENGTH) - FIRST_LENGTH * ROOM;
  return between(from, from + FIRST_LENGTH * (1 + 2 * ROOM));
}

/** The smallest that holds both: how far zooming out and moving may go. */
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
