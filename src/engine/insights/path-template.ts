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
];

/** `cus_9s6XKzkNRiz8i3`: a short prefix, then an id of at least six characters with a digit. */
const PREFIXED = /^[a-z]{1,10}_(?=[a-z]*\d)[\da-z]{6,}$/i;

/** A nanoid has 21 characters; base62 and base64url ids of other lengths look the same. Default; not from a specification. */
const OPAQUE_FROM = 16;

/** A quick test before the exact ones: an id contains a digit, an at sign or an escape, or is long. */
const MAY_HOLD_ID = /[\d@%]|[^/]{16}/;

/** Whether a segment has the form of an id, regardless of its siblings. */
export function isIdSegment(segment: string): boolean {
  const text = segment.includes("%") ? unescaped(segment) : segment;
  if (FORMS.some((form) => form.test(text)) || PREFIXED.test(text)) return true;
  return text.length >= OPAQUE_FROM && /^[\w-]+$/.test(text) && isOpaque(text);
}

/** A path in which the segments with the form of an id are folded. */
export function templateOf(path: string): string {
  if (!MAY_HOLD_ID.test(path)) return path;
  return path
    .split("/")
    .map((segment) => (isIdSegment(segment) ? PLACEHOLDER : segment))
    .join("/");
}

/** Whether a path, or an endpoint, has a placeholder. */
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
