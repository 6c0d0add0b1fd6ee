import type { TimeRange } from "../../../engine/messages/timeline-messages.ts";
import type { Instant, Milliseconds } from "../../../engine/model/units.ts";
import { clockText, exactClockText } from "../../format/clock.ts";
import { axisText } from "../../format/duration.ts";
import { lengthOf } from "./visible-range.ts";

const SECOND: Milliseconds = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The possible distances between ticks, in ms: round numbers in their unit of time. */
const STEPS: readonly Milliseconds[] = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 6, 12, 24].map((count) => count * HOUR),
];

/** Least distance between two labels, in px. */
const APART_PX = 92;
/** Space for the first label, a full time of day, in px. */
const CLOCK_PX = 88;

/** A line across the rows, and the label to its right; "" if there is no room. */
export interface Tick {
  readonly left: number;
  readonly label: string;
}

/** The axis above the rows: the instant of its start, then the time since. */
export function rulerOf(range: TimeRange, width: number): readonly Tick[] {
  const length = lengthOf(range);
  const step = stepFor(length, width);
  const ticks: Tick[] = [Object.freeze({ left: 0, label: exactClockText(range.from as Instant) })];
  for (let count = 1; count * step < length; count += 1) {
    const left = ((count * step) / length) * width;
    const fits = left >= CLOCK_PX && left + APART_PX / 2 <= width;
    ticks.push(Object.freeze({ left, label: fits ? `+${laterText(count * step)}` : "" }));
  }
  return Object.freeze(ticks);
}

/** The axis of the minimap: round times of day. */
export function clockTicksOf(range: TimeRange, width: number): readonly Tick[] {
  const step = Math.max(SECOND, stepFor(lengthOf(range), width));
  // Counts steps from local midnight: multiples of a step since 1970 are round times only in UTC.
  const offset = new Date(range.from).getTimezoneOffset() * MINUTE;
  const ticks: Tick[] = [];
  for (let at = Math.ceil((range.from - offset) / step) * step + offset; at < range.to; at += step) {
    const left = ((at - range.from) / lengthOf(range)) * width;
    const label = clockText(at as Instant).slice(0, step < MINUTE ? 8 : 5);
    ticks.push(Object.freeze({ left, label: left > 24 && left < width - 28 ? label : "" }));
  }
  return Object.freeze(ticks);
}

function stepFor(length: Milliseconds, width: number): Milliseconds {
  const least = (length * APART_PX) / Math.max(width, 1);
  const fitting = STEPS.find((step) => step >= least);
  return fitting ?? Math.ceil(least / (24 * HOUR)) * 24 * HOUR;
}

/** "500 ms", "1.5 s", "5 min", "2 h". */
function laterText(length: Milliseconds): string {
  if (length >= HOUR && length % HOUR === 0) return `${length / HOUR} h`;
  return length >= MINUTE && length % MINUTE === 0 ? `${length / MINUTE} min` : axisText(length);
}
