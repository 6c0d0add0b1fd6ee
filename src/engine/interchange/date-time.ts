import type { Instant } from "../model/units.ts";
import type { JsonValue } from "./json-value.ts";

/** Milliseconds after which the Gregorian calendar repeats: 400 years. */
const CYCLE = 146_097 * 86_400_000;

/** The instant as ISO 8601 in UTC, to the microsecond: HAR readers accept any number of digits. */
export function isoOf(instant: Instant): string {
  const whole = Math.floor(instant);
  const micros = Math.min(999, Math.round((instant - whole) * 1_000));
  const text = new Date(whole).toISOString();
  return micros === 0 ? text : text.replace("Z", `${padded(micros, 3)}Z`);
}

/** Parses an ISO 8601 date and time, in UTC if there is no offset; `null` if it is invalid. */
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
  // Computes the date 400 years later, because `Date.UTC` reads the years 0 to 99 as 1900 to 1999.
  const whole = Date.UTC(year + 400, month - 1, day, hour, minute - offset, second) - CYCLE;
  return (whole + Number(`0.${match[7] ?? "0"}`) * 1_000) as Instant;
}

/**
 * Parses an HTTP date, also in the older form of cookies (RFC 6265, 5.1.1) or with an RFC 1123 offset; `null` for other
 * texts.
 */
export function instantOfHttpDate(text: string): Instant | null {
  const match =
    /^(?:[a-z]{3,9},? )?(\d{1,2})[ -](\w{3})[ -](\d{2,4}) (\d\d):(\d\d):(\d\d)(?: (?:GMT|UTC?|([+-]\d{4})))?$/i.exec(
      text.trim(),
    );
  if (match === null) return null;
  const [, day, name = "", years = "", hour, minute, second, offset = "Z"] = match;
  const month = MONTHS.indexOf(name.toLowerCase()) + 1;
  const year = years.length === 2 ? Number(years) + (Number(years) < 70 ? 2_000 : 1_900) : Number(years);
  return instantOf(
    `${padded(year, 4)}-${padded(month, 2)}-${padded(Number(day), 2)}T${hour}:${minute}:${second}${offset}`,
  );
}

/**
 * Parses the start of an entry or a page in a HAR file: an ISO 8601 date, as HAR requires, an RFC 1123 date, a number
 * since 1970, or a date in American English, read as UTC. Some tools write the latter three.
 */
export function startOf({ numeric, text }: Pick<JsonValue, "numeric" | "text">): Instant | null {
  if (numeric !== null) return instantOfEpoch(numeric);
  return instantOf(text ?? "") ?? instantOfHttpDate(text ?? "") ?? instantOfLocalDate(text ?? "");
}

/** Parses a date such as `Feb 16, 2018 4:41:28 PM`, as BrowserMob Proxy writes it; `null` for other texts. */
function instantOfLocalDate(text: string): Instant | null {
  const match = /^(\w{3}) (\d{1,2}), (\d{4}),? (\d{1,2}):(\d\d):(\d\d)[\s\u202f]([AP])M$/i.exec(text.trim());
  if (match === null) return null;
  const [, name = "", day, year, hours, minute, second, half = ""] = match;
  const month = MONTHS.indexOf(name.toLowerCase()) + 1;
  const hour = (Number(hours) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  return instantOf(`${year}-${padded(month, 2)}-${padded(Number(day), 2)}T${padded(hour, 2)}:${minute}:${second}Z`);
}

/**
 * Converts a number since 1970 to an instant. The number's size tells whether it counts seconds, milliseconds or
 * microseconds; `null` for numbers that are too large, and for 0 or less.
 */
function instantOfEpoch(count: number): Instant | null {
  if (!(count > 0 && count < LARGEST.microseconds)) return null;
  if (count < LARGEST.seconds) return (count * 1_000) as Instant;
  return (count < LARGEST.milliseconds ? count : count / 1_000) as Instant;
}

/**
 * A count below `seconds` is read as seconds, else a count below `milliseconds` as milliseconds, and so on. All bounds
 * are after the year 5000. Weir's own rule.
 */
const LARGEST = { seconds: 1e11, milliseconds: 1e14, microseconds: 1e17 } as const;

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}
