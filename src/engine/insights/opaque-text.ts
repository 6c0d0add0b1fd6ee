/**
 * A number with at least this many digits is an id; a number with fewer digits is a
 * count.
 */
const LONG_NUMBER = 6;

/**
 * Camel case of at least `MANY_PIECES` pieces counts as words only if the pieces
 * have a mean length of at least `SHORTEST_MEAN`.
 */
const MANY_PIECES = 4;
const SHORTEST_MEAN = 3.5;

/**
 * Whether a text of letters, digits and separators is machine-made rather than made of words: `f81d4fae`, `u-93ab21`
 * and `dQw4w9WgXcQ` are; `getHTTPResponse`, `out-for-delivery`, `eu-west-1` and `summer2024` are not.
 */
export function isOpaque(text: string): boolean {
  let all = 0;
  let opaque = 0;
  for (const part of text.match(/[A-Za-z\d]+/g) ?? []) {
    all += part.length;
    if (!isOfWords(part)) opaque += part.length;
  }
  return opaque > 0 && 2 * opaque >= all;
}

/** Whether the part is a word, camel case, a short number, or a word with a number. */
function isOfWords(part: string): boolean {
  const digitsFrom = endOf(part, 0, isLetter);
  // Compares character by character for speed, since every value of every body is tested.
  if (endOf(part, digitsFrom, isDigit) < part.length) return digitsFrom === 0 && /^\d{1,3}[a-z]{1,2}$/.test(part); // 2nd, 10px
  if (part.length - digitsFrom >= LONG_NUMBER) return false;
  if (digitsFrom === 0) return true;
  const letters = part.slice(0, digitsFrom);
  // Most parts are one word.
  if (endOf(letters, 1, isLowerCase) === letters.length) return isWordLike(letters, true);
  const pieces = letters.replaceAll(/[A-Z]?[a-z]+/g, " $& ").match(/\S+/g) ?? [];
  const odd = pieces.filter((piece) => !isWordLike(piece, pieces.length === 1)).length;
  const areShort = pieces.length >= MANY_PIECES && letters.length < SHORTEST_MEAN * pieces.length;
  return !areShort && 3 * odd <= pieces.length;
}

/** The index of the first character from `from` on for which `is` is false. */
function endOf(text: string, from: number, is: (sign: number) => boolean): number {
  let end = from;
  while (end < text.length && is(text.charCodeAt(end))) end += 1;
  return end;
}

function isLetter(sign: number): boolean {
  const lower = sign | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function isLowerCase(sign: number): boolean {
  return sign >= 0x61 && sign <= 0x7a;
}

function isDigit(sign: number): boolean {
  return sign >= 0x30 && sign <= 0x39;
}

/**
 * Whether the piece looks like a word: it has a vowel and no five consonants in a row, or is an abbreviation in
 * capitals. A piece of up to 3 letters counts if it is alone, or has 3 letters and a vowel.
 */
function isWordLike(piece: string, isAlone: boolean): boolean {
  if (piece.length <= 3) return isAlone || (piece.length === 3 && /[aeiouy]/i.test(piece));
  if (piece === piece.toUpperCase() && piece.length <= 5) return true;
  return /[aeiouy]/i.test(piece) && !/[bcdfghjklmnpqrstvwxz]{5}/i.test(piece);
}
