import * as fc from "fast-check";

const SURROGATES = { first: 0xd800, count: 0x800 } as const;

/**
 * Any code point but half a surrogate, as the unit of a text. fast-check's own unit `binary` keeps a table of all 1.1
 * million for its shrinking, which takes seconds of processor time in each process.
 */
export const anyCharacter = fc
  .nat(0x10ffff - SURROGATES.count)
  .map((index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count), indexOf);

/** A character that a path may contain, or the escapes of another one (RFC 3986, 3.3). */
const pathUnit = fc
  .oneof(fc.string({ minLength: 1, maxLength: 1 }), anyCharacter)
  .map((character) => encodeURI(character).replace(/[/?#]/, encodeURIComponent));

/** A URL's path, which may be empty. In place of fast-check's own paths and URLs, which keep the table of `binary`. */
export const anyPath = fc
  .array(fc.string({ unit: pathUnit }))
  .map((segments) => segments.map((segment) => `/${segment}`).join(""));

/** A URL without a query. */
export const anyUrl = fc
  .tuple(fc.constantFrom("http", "https"), fc.domain(), anyPath)
  .map(([scheme, host, path]) => `${scheme}://${host}${path}`);

function indexOf(text: unknown): number {
  const [character = "", ...others] = typeof text === "string" ? text : "";
  const index = (character.codePointAt(0) ?? SURROGATES.first) - SURROGATES.first;
  if (others.length > 0 || (index >= 0 && index < SURROGATES.count)) throw new Error("not a whole character");
  return index < 0 ? index + SURROGATES.first : index + SURROGATES.first - SURROGATES.count;
}
