import { isOpaque } from "./opaque-text.ts";

/** The placeholder for a segment that identifies one of many resources. */
export const PLACEHOLDER = "{id}";

/** docs/specification.md, Endpoint grouping: ids recognizable by their form alone. */
const FORMS: readonly RegExp[] = [
  /^\d+(?:\.[a-z]\w{0,9})?$/i, // 42, 42.json
  /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i,
  /^[0-7][\dabcdefghjkmnpqrstvwxyz]{25}$/i, // ULID, Crockford's base32
  /^(?=[a-f]*\d)[\da-f]{8,}$/i,
  /^\d{4}-\d\d(?:-\d\d)?(?:T[\d:.]+Z?)?$/,
  /^[^@\s/]+@[^@\s/]+\.[a-z]{2,}$/i,
  /^[a-z]{1,10}[-_]?\d{3,}$/i, // P10037, sku-4411
];

/**
 * Matches an id with a short prefix: letters, an underscore, then at least six characters with a digit among them, such
 * as `cus_9s6XKzkNRiz8i3`.
 */
const PREFIXED = /^[a-z]{1,10}_(?=[a-z]*\d)[\da-z]{6,}$/i;

/**
 * The length from which a segment may be a base62 or base64url id. A nanoid has 21
 * characters.
 */
const OPAQUE_FROM = 16;

/** A quick test before the exact ones: ids contain a digit, an at sign or an escape, or are long. */
const MAY_HOLD_ID = /[\d@%]|[^/]{16}/;

/** Whether a segment looks like an id, whatever its siblings are. */
export function isIdSegment(segment: string): boolean {
  const text = segment.includes("%") ? unescaped(segment) : segment;
  if (FORMS.some((form) => form.test(text)) || PREFIXED.test(text)) return true;
  return text.length >= OPAQUE_FROM && /^[\w-]+$/.test(text) && isOpaque(text);
}

/** docs/specification.md, Endpoint grouping: how many segments of a path are looked at. */
export const MOST_SEGMENTS = 64;

/** The parts between the slashes of a path. Joined by slashes they are the path: the last one has all that follows. */
export function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  let from = 0;
  for (let end = path.indexOf("/"); end >= 0 && segments.length < MOST_SEGMENTS; end = path.indexOf("/", from)) {
    segments.push(path.slice(from, end));
    from = end + 1;
  }
  segments.push(path.slice(from));
  return segments;
}

/** The path, with `PLACEHOLDER` in place of each segment that looks like an id. */
export function templateOf(path: string): string {
  if (!MAY_HOLD_ID.test(path)) return path;
  return segmentsOf(path)
    .map((segment) => (isIdSegment(segment) ? PLACEHOLDER : segment))
    .join("/");
}

/** Whether a path, or an endpoint's name, contains a placeholder. */
export function isTemplate(path: string): boolean {
  return path.includes(`/${PLACEHOLDER}`);
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
