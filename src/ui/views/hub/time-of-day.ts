import type { Instant } from "../../../engine/model/units.ts";
import { clockText } from "../../format/clock.ts";

const DAY = new Intl.DateTimeFormat("en-US", { day: "numeric", month: "short" });

/**
 * The time of day to the minute. If the day is not today, the day comes first: "12:28", "yesterday 17:20", "Nov 3
 * 09:10".
 */
export function timeOfDayText(at: Instant, now: number): string {
  const time = clockText(at).slice(0, 5);
  const days = Math.round((midnight(now) - midnight(at)) / 86_400_000);
  if (days === 0) return time;
  return days === 1 ? `yesterday ${time}` : `${DAY.format(at)} ${time}`;
}

function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
