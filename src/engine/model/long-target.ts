/** The most characters of a target that are kept in memory. */
export const LONGEST_TARGET = 2_048;
/** The most characters kept of a long target's path, and of its query. */
const LONGEST_PART = 960;

/**
 * The target as memory keeps it. Of a long one, the beginning of its path and of its query, each with the length and a
 * hash of the whole part: equal targets stay equal, and different ones different. The whole target is in storage.
 */
export function abbreviatedTarget(target: string): string {
  if (target.length <= LONGEST_TARGET) return target;
  const at = target.indexOf("?");
  const [path, query] = at < 0 ? [target, null] : [target.slice(0, at), target.slice(at + 1)];
  return [path, query].flatMap((part) => (part === null ? [] : abbreviatedPart(part))).join("?");
}

/** Whether `abbreviatedTarget` shortened this target. */
export function isAbbreviated(target: string): boolean {
  return target.length > LONGEST_PART && ABBREVIATION.test(target);
}

const ABBREVIATION = /\.\.\.\(\d{1,9} characters, hash [0-9a-f]{16}\)(?:\?|$)/;

function abbreviatedPart(part: string): string {
  if (part.length <= LONGEST_PART) return part;
  // Without half of a surrogate pair.
  const beginning = part.slice(0, LONGEST_PART).replace(/[\ud800-\udbff]$/, "");
  // Joined, not concatenated: a concatenation refers to the slice, and the slice to the whole target (V8). Dots instead
  // of an ellipsis, which is not Latin-1 and would double the memory of the whole text.
  return [beginning, "...(", part.length, " characters, hash ", hashOf(part), ")"].join("");
}

/** 64 bits in hexadecimal: FNV-1a and a second multiplicative hash, each of 32 bits, over UTF-16 code units. */
function hashOf(text: string): string {
  let one = 0x811c9dc5;
  let other = 0x9e3779b9;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ unit, 0x85ebca6b);
    other ^= other >>> 13;
  }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}
