import type { Instant } from "../../model/units.ts";
import { memoized } from "../memoized.ts";
import { isOpaque } from "../opaque-text.ts";

/** docs/specification.md, Dependency chain: values shorter than this prove nothing. */
export const SHORTEST_VALUE = 6;

/** A value longer than this is a document. */
export const LONGEST_VALUE = 2_048;

/** For `takeJsonValues`: whether the value has at least `SHORTEST_VALUE` characters; reading escapes adds none. */
export function isLongEnough(_text: string, from: number, to: number): boolean {
  return to - from >= SHORTEST_VALUE;
}

const YEAR = 365 * 86_400_000;

/** A number proves nothing if, read as a time, it is this close to the session. */
const NEAR_TIME = 5 * YEAR;

/** Matches values so common that their use in a later request proves nothing. */
const COMMON = new RegExp(
  [
    /^\d{4}-\d\d(?:-\d\d)?(?:[T ][\d:.]+ ?(?:Z|[+-]\d\d:?\d\d)?)?$/, // ISO 8601
    /^\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?$/,
    /^(?:\w{3}, )?\d\d?[ -]\w{3}[ -]\d{2,4}\b/, // HTTP dates
    /^(?:19|20)\d{6}$/, // 20250131
    /^-?\d+\.\d+$/, // prices, positions
    /^v?\d+(?:\.\d+){1,3}(?:[-+][\w.]+)?$/, // versions, IPv4
    /^[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}$/, // IPv6
    /^[a-z]{2,3}(?:[-_][A-Za-z\d]{2,4}){1,2}$/, // locales
    /^[A-Z][A-Za-z]+(?:\/[A-Z][A-Za-z_+\-\d]+){1,2}$/, // time zones
    /^(?:text|image|audio|video|font|application|multipart|message|model)\/[\w.+-]+$/, // media types
    /^#[\dA-Fa-f]{3,8}$/, // colours
    /^[0-]+$/, // nil UUID
    /^(?:data|blob|about|javascript):/,
    /^https?:\/\/[^/]+\/?$/, // origins
  ]
    .map(({ source }) => source)
    .join("|"),
);

/** Matches usual names of members whose values identify one of many items. */
const ID_NAME =
  /(?:^|[_.-]|[a-z\d](?=[A-Z]))(?:ids?|u?uid|guid|key|slug|token|cursor|handle|refs?|reference|nonce|sku|isbn|ticket|code|number|no|pk|serial|next|continuation|marker|hash)$/i;

/** Whether a member of this name contains ids: `id`, `userId`, `order_no`, `nextToken`. */
export function isIdName(name: string): boolean {
  return meaningOf(name).isId;
}

/** Matches names of members whose numbers are counts, amounts or times, and so no ids. */
const AMOUNT_NAME =
  /amount|price|total|cost|count|size|bytes|length|width|height|limit|offset|quantity|balance|duration|time|date|_at$|At$|expires|ttl|age|since|until|year|version_?code/i;

/** What the values of a member are, by its name. */
interface Meaning {
  readonly isId: boolean;
  readonly isAmount: boolean;
}

const meaningOf = memoized((name): Meaning => ({ isId: ID_NAME.test(name), isAmount: AMOUNT_NAME.test(name) }));

/**
 * Whether the use of a value in a request can prove that the request waited for the response. The value must be a
 * number, machine-made, or a name of several words. `name`: the member or header that gave the value; `near`: a time in
 * the session.
 */
export function canProve(value: string, name: string, near: Instant): boolean {
  if (value.length < SHORTEST_VALUE || value.length > LONGEST_VALUE) return false;
  // What most values fail comes first, since every value of every body is tested.
  if (/^-?\d+$/.test(value)) {
    if (isTime(value, near) || meaningOf(name).isAmount) return false;
  } else if (!isOpaque(value) && !(isNameOfOne(value) && isIdName(name))) return false;
  return !/\s/.test(value) && !COMMON.test(value) && value !== value.charAt(0).repeat(value.length);
}

/** Whether the value is a name of at least two words. A single word may be a state, a type or a role. */
function isNameOfOne(value: string): boolean {
  return /[A-Za-z\d][-_.:/~][A-Za-z\d]/.test(value);
}

/** Whether the digits are a time near `near`: seconds, milliseconds, microseconds or nanoseconds since 1970. */
function isTime(digits: string, near: Instant): boolean {
  const unit = UNITS[digits.length];
  return unit !== undefined && Math.abs(Number(digits) / unit - near) < NEAR_TIME;
}

/** How many units make a millisecond, by the number of digits that a present time has in this unit. */
const UNITS: Readonly<Record<number, number>> = { 10: 1e-3, 13: 1, 16: 1e3, 19: 1e6 };
