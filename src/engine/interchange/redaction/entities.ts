import type { Redact } from "./nested.ts";

/**
 * Removes secrets from text in which the characters of markup are escaped (XML 1.0, 4.6; HTML 13.5), as in an
 * attribute. `null` if the text contains `<` or no such escapes, or if there is nothing to redact.
 */
export function redactedEscapedBy(text: string, redact: Redact): string | null {
  if (!text.includes("&") || text.includes("<")) return null;
  const plain = withoutEntities(text);
  if (plain === text) return null;
  const redacted = redact(plain);
  return redacted === plain ? null : redacted.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** Replaces the escapes of markup by their characters. */
export function withoutEntities(text: string): string {
  return text.replaceAll(ENTITY, unescaped);
}

const ENTITY = /&(?:#(\d{1,7});?|#x([\da-f]{1,6});?|(quot|apos|lt|gt|amp|equals|colon|comma|lcub|nbsp);)/gi;

const NAMES: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  lt: "<",
  gt: ">",
  amp: "&",
  equals: "=",
  colon: ":",
  comma: ",",
  lcub: "{",
  nbsp: " ",
};

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function unescaped(
  whole: string,
  digits: string | undefined,
  hex: string | undefined,
  name: string | undefined,
): string {
  if (name !== undefined) return NAMES[name.toLowerCase()] ?? whole;
  const code = digits === undefined ? Number.parseInt(hex ?? "", 16) : Number(digits);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}
