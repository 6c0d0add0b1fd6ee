import type { Instant } from "../../engine/model/units.ts";

/** Local time of day to the second: "12:36:22". */
export function clockText(at: Instant): string {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** Local time of day to the millisecond: "12:36:22.233". */
export function exactClockText(at: Instant): string {
  return `${clockText(at)}.${String(Math.floor(at) % 1000).padStart(3, "0")}`;
}

/** Local date and time to the millisecond: "2026-11-20 12:36:22.233". */
export function dateText(at: Instant): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${exactClockText(at)}`;
}

/** Local date and time to the minute: "2026-11-20 12:36". */
export function minuteText(at: Instant): string {
  return dateText(at).slice(0, 16);
}

/** The minute, without the date if it is of the same day as `now`: "12:36". */
export function sinceText(at: Instant, now: Instant): string {
  const minute = minuteText(at);
  return minute.slice(0, 10) === minuteText(now).slice(0, 10) ? minute.slice(11) : minute;
}

/** Local date and time to the second: "2026-11-20 12:36:22". */
export function secondText(at: Instant): string {
  return dateText(at).slice(0, 19);
}

/**
 * Formats a certificate's date ("Nov 3 12:47:08 2026 GMT", as OpenSSL writes it) like `minuteText`. Returns a text that
 * is no such date unchanged.
 */
export function certificateDateText(text: string): string {
  return /^\w{3} [ \d]\d \d\d:\d\d:\d\d \d{4} GMT$/.test(text) ? minuteText(Date.parse(text) as Instant) : text;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
