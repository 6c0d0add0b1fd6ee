import type { Milliseconds } from "../../engine/model/units.ts";
import { countText, grouped, NO_FIGURE } from "./count.ts";

/** Milliseconds for lists, without the unit: one decimal below 10, none above ("4.1", "1,086"). */
export function durationText(length: Milliseconds | null): string {
  if (length === null) return NO_FIGURE;
  return length < 9.95 ? grouped(length.toFixed(1)) : countText(Math.round(length));
}

/** Milliseconds in the Timing tab: always one decimal ("1,816.4"). */
export function exactDurationText(length: Milliseconds | null): string {
  return length === null ? NO_FIGURE : grouped(length.toFixed(1));
}

/** A running time in the format of a clock: "11:42", "1:02:03". */
export function elapsedText(length: Milliseconds): string {
  const seconds = Math.max(0, Math.floor(length / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const tail = `${hours > 0 ? padded(minutes) : minutes}:${padded(seconds % 60)}`;
  return hours > 0 ? `${hours}:${tail}` : tail;
}

/**
 * The label at the end of an axis, in the largest fitting unit: "500 ms", "2 s". Axes may show seconds, tables never.
 */
export function axisText(length: Milliseconds): string {
  return length >= 1000 ? `${countOrFraction(length / 1000)} s` : `${countOrFraction(length)} ms`;
}

function countOrFraction(value: number): string {
  return Number.isInteger(value) ? countText(value) : String(Number(value.toFixed(2)));
}

function padded(value: number): string {
  return String(value).padStart(2, "0");
}
