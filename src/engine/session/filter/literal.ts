/** A text that is looked for in other texts, in any letter case. */
export interface Literal {
  test(text: string): boolean;
  /** The first place at which the text occurs; `null` if there is none. */
  find(text: string): { readonly index: number; readonly length: number } | null;
}

/**
 * The longest text that a regular expression looks for. Its time is the product of both lengths for texts such as
 * "aaab" in "aaaa"; a longer text is looked for in time that grows with the sum (docs/security.md L8).
 */
const SHORT = 32;

/** Finds exactly this text in any letter case, since users type text, not patterns. */
export function literal(text: string): Literal {
  if (text.length > SHORT) return folded(text);
  const pattern = new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"), "i");
  return {
    test: (other) => pattern.test(other),
    find: (other) => {
      const match = pattern.exec(other);
      return match === null ? null : { index: match.index, length: match[0].length };
    },
  };
}

function folded(text: string): Literal {
  const wanted = inOneCase(text);
  return {
    test: (other) => other.length >= wanted.length && inOneCase(other).includes(wanted),
    find: (other) => {
      const index = inOneCase(other).indexOf(wanted);
      return index < 0 ? null : { index, length: wanted.length };
    },
  };
}

/**
 * The text in one letter case, as regular expressions with the flag `i` compare texts (ECMA-262, Canonicalize). Each
 * code unit becomes one code unit.
 */
export function inOneCase(text: string): string {
  return text.replaceAll(CHANGING, (part) => (part.charCodeAt(0) < 128 ? part.toUpperCase() : unitInOneCase(part)));
}

const CHANGING = /[a-z]+|\p{Changes_When_Uppercased}/gu;

function unitInOneCase(unit: string): string {
  const upper = unit.toUpperCase();
  return upper.length === 1 && upper.charCodeAt(0) >= 128 ? upper : unit;
}
