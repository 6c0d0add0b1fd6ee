import type { Instant } from "../model/units.ts";

const DAY = 86_400_000;

/** The instant in UTC as ISO 8601, to the microsecond: HAR's readers take any number of digits. */
export function isoOf(instant: Instant): string {
  const whole = Math.floor(instant);
  const micros = Math.min(999, Math.round((instant - whole) * 1_000));
  const days = Math.floor(whole / DAY);
  const { year, month, day } = dateOf(days);
  const rest = whole - days * DAY;
  const [hours, minutes, seconds] = [rest / 3.6e6, (rest / 6e4) % 60, (rest / 1e3) % 60].map(Math.floor);
  const fraction = padded(rest % 1_000, 3) + (micros === 0 ? "" : padded(micros, 3));
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}T${padded(hours, 2)}:${padded(minutes, 2)}:${padded(seconds, 2)}.${fraction}Z`;
}

/** The instant of an ISO 8601 date and time; without an offset it counts as UTC. `null` if it is none. */
export function instantOf(text: string): Instant | null {
  const match =
    /^(\d{4})-?(\d\d)-?(\d\d)[T ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d{1,12}))?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/i.exec(
      text,
    );
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 24 || minute > 59 || second > 60) return null;
  const [, sign, hours = "0", minutes = "0"] = /^([+-])(\d\d):?(\d\d)?$/.exec(match[8] ?? "") ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
  const seconds = (hour * 60 + minute - offset) * 60 + second;
  return (daysOf(year, month, day) * DAY + seconds * 1_000 + Number(`0.${match[7] ?? "0"}`) * 1_000) as Instant;
}

/** The instant of an HTTP date in its preferred or in the cookies' older form (RFC 6265, 5.1.1); `null` if it is none. */
export function instantOfHttpDate(text: string): Instant | null {
  const match = /^\w+,? (\d{1,2})[ -](\w{3})[ -](\d{2,4}) (\d\d):(\d\d):(\d\d)(?: GMT| UTC)?$/i.exec(text.trim());
  if (match === null) return null;
  const [, day, name = "", years = "", hour, minute, second] = match;
  const month = MONTHS.indexOf(name.toLowerCase()) + 1;
  const year = years.length === 2 ? Number(years) + (Number(years) < 70 ? 2_000 : 1_900) : Number(years);
  return instantOf(`${padded(year, 4)}-${padded(month, 2)}-${padded(Number(day), 2)}T${hour}:${minute}:${second}Z`);
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/**
 * Days since 1970-01-01 in the Gregorian calendar. Years are counted from 1 March, so that the leap day is the last;
 * 146,097 days are 400 years, and (153 m + 2) / 5 are the days before month m of such a year.
 */
function daysOf(year: number, month: number, day: number): number {
  const from = month > 2 ? year : year - 1;
  const era = Math.floor(from / 400);
  const years = from - era * 400;
  const days = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return era * 146_097 + years * 365 + Math.floor(years / 4) - Math.floor(years / 100) + days - 719_468;
}

function dateOf(since1970: number): { year: number; month: number; day: number } {
  const all = since1970 + 719_468;
  const era = Math.floor(all / 146_097);
  const inEra = all - era * 146_097;
  const years = Math.floor(
    (inEra - Math.floor(inEra / 1_460) + Math.floor(inEra / 36_524) - Math.floor(inEra / 146_096)) / 365,
  );
  const days = inEra - (years * 365 + Math.floor(years / 4) - Math.floor(years / 100));
  const march = Math.floor((5 * days + 2) / 153);
  const month = march < 10 ? march + 3 : march - 9;
  const day = days - Math.floor((153 * march + 2) / 5) + 1;
  return { year: era * 400 + years + (month <= 2 ? 1 : 0), month, day };
}

function padded(value: number | undefined, digits: number): string {
  return String(value ?? 0).padStart(digits, "0");
}
