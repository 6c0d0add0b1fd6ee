/** Receives a string or number, and the last member name before it; "" if there is none. */
export type TakeValue = (value: string, name: string) => void;

/** Whether a value may be wanted, by its place in the text and before its escapes are read. */
export type MayWant = (text: string, from: number, to: number) => boolean;

/** A string longer than this is prose, not a value. */
const LONGEST = 4_096;

/** The shortest string that is passed on, in characters. Values that prove anything are longer (`value-form.ts`). */
const SHORTEST = 2;

/** The characters that may stand before (`BEFORE_NUMBER`) and after (`AFTER_NUMBER`) a number that is a value. */
const BEFORE_NUMBER = /[:,[\s]/;
const AFTER_NUMBER = /[,\]}\s]/;

/**
 * Calls `take` with the numbers, and with the strings that contain no white space. `text`: JSON, JSON lines, JSON in a
 * script or an event stream, or a part of these. Reads tokens instead of structure, so that text cut off anywhere
 * works. `mayWant`: spares most values their copy.
 */
export function takeJsonValues(text: string, take: TakeValue, mayWant: MayWant = () => true): void {
  let [nameFrom, nameTo] = [0, 0];
  let lineEnd = -1;
  for (let at = 0; at < text.length; ) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) {
      if (lineEnd <= at) lineEnd = lineEndFrom(text, at + 1);
      const end = endOfString(text, at + 1, lineEnd);
      if (end < 0) {
        at = lineEnd + 1;
        continue;
      }
      if (isName(text, end + 1)) [nameFrom, nameTo] = [at + 1, end];
      else if (end - at > SHORTEST && end - at <= LONGEST && mayWant(text, at + 1, end)) {
        const value = text.slice(at + 1, end);
        if (!value.includes(" ")) take(unescaped(value), unescaped(text.slice(nameFrom, nameTo)));
      }
      at = end + 1;
    } else if (isDigit(sign) || sign === MINUS) {
      const end = endOfNumber(text, at);
      const isValue =
        mayWant(text, at, end) &&
        BEFORE_NUMBER.test(text.charAt(at - 1)) &&
        (end === text.length || AFTER_NUMBER.test(text.charAt(end)));
      if (isValue) take(text.slice(at, end), unescaped(text.slice(nameFrom, nameTo)));
      at = end;
    } else at += 1;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const POINT = 0x2e;

/** The next line break at or after `from`; the text's length if there is none. */
function lineEndFrom(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/** The position of the closing quote of the string that starts at `from`; -1 if the line ends before it. */
function endOfString(text: string, from: number, lineEnd: number): number {
  for (let end = text.indexOf('"', from); end >= 0 && end < lineEnd; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (end - escapes > from && text.charCodeAt(end - escapes - 1) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return -1;
}

/** Whether a colon follows, so that the string before `from` is a member's name. */
function isName(text: string, from: number): boolean {
  for (let at = from; at < from + 8; at += 1) {
    const sign = text.charAt(at);
    if (sign === ":") return true;
    if (sign !== " " && sign !== "\t" && sign !== "\n" && sign !== "\r") return false;
  }
  return false;
}

function endOfNumber(text: string, from: number): number {
  let end = from + 1;
  while (end < text.length && (isDigit(text.charCodeAt(end)) || text.charCodeAt(end) === POINT)) end += 1;
  return end;
}

function isDigit(sign: number): boolean {
  return sign >= 0x30 && sign <= 0x39;
}

function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}
