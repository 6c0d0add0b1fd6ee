/** A number with at least this many digits is an id; a number with fewer digits is a count. */
const LONG_NUMBER = 6;

/**
 * Camel case of at least `MANY_PIECES` pieces counts as words only if the pieces have a mean length of at least
 * `SHORTEST_MEAN`.
 */
const MANY_PIECES = 4;
const SHORTEST_MEAN = 3.5;

/**
 * Whether a text of letters, digits and separators is machine-made rather than made of words: `f81d4fae`, `u-93ab21`
 * and `dQw4w9WgXcQ` are; `getHTTPResponse`, `out-for-delivery`, `eu-west-1` and `summer2024` are not.
 */
export function isOpaque(text: string): boolean {
  // Reads character by character for speed, since every value of every body is tested.
  let all = 0;
  let opaque = 0;
  for (let from = 0; from < text.length; from += 1) {
    const lettersEnd = endOf(text, from, isLetter);
    const end = endOf(text, lettersEnd, isLetterOrDigit);
    all += end - from;
    if (end > from && !isOfWords(text, from, lettersEnd, end)) opaque += end - from;
    from = end;
  }
  return opaque > 0 && 2 * opaque >= all;
}

/** Whether the part is a word, camel case, a short number, or a word with a number. */
function isOfWords(text: string, from: number, lettersEnd: number, end: number): boolean {
  if (endOf(text, lettersEnd, isDigit) < end)
    return lettersEnd === from && /^\d{1,3}[a-z]{1,2}$/.test(text.slice(from, end)); // 2nd, 10px
  if (end - lettersEnd >= LONG_NUMBER) return false;
  if (lettersEnd === from) return true;
  const letters = text.slice(from, lettersEnd);
  if (endOf(text, from + 1, isLowerCase) >= lettersEnd) return isWordLike(letters, true);
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

function isLowerCase(sign: number): boolean {
  return sign >= 0x61 && sign <= 0x7a;
}

function isLetter(sign: number): boolean {
  return isLowerCase(sign | 0x20);
}

function isDigit(sign: number): boolean {
  return sign >= 0x30 && sign <= 0x39;
}

function isLetterOrDigit(sign: number): boolean {
  return isLetter(sign) || isDigit(sign);
}

/**
 * Whether the piece looks like a word: it has a vowel and no five consonants in a row, or is an abbreviation in
 * capitals. A piece of up to 3 letters counts if it is alone, or has 3 letters and a vowel.
 */
function isWordLike(piece: string, isAlone: boolean): boolean {
  if (piece.length <= 3) return isAlone || (piece.length === 3 && /[aeiouy]/i.test(piece));
  if (piece.length <= 5 && piece === piece.toUpperCase()) return true;
  return /[aeiouy]/i.test(piece) && !/[bcdfghjklmnpqrstvwxz]{5}/i.test(piece);
}
