/**
 * The position of the closing quote of the JSON string that opens at `open`; the text's end if there is none. With
 * `within` "line", the search also ends at the line's end, since JSON strings contain no line breaks.
 */
export function endOfString(text: string, open: number, within: "line" | "text" = "text"): number {
  for (let at = open + 1; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === BACKSLASH) at += 1;
    else if (character === QUOTE || (character === LINE_FEED && within === "line")) return at;
  }
  return text.length;
}

/** Decodes a JSON string without its quotes. The string may be cut off. */
export function jsonStringOf(raw: string): string {
  return raw.includes("\\") ? raw.replaceAll(ESCAPE, unescaped) : raw;
}

/** The JSON string for `text`, without its quotes. */
export function jsonQuoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The end of the value, perhaps cut off, that begins at `at`. A list or object ends where its brackets balance. */
export function endOfValue(text: string, at: number): number {
  if (text[at] === '"') return Math.min(text.length, endOfString(text, at) + 1);
  if (text[at] !== "{" && text[at] !== "[") return at + literalAt(text, at).length;
  let depth = 0;
  for (let place = at; place < text.length; place += 1) {
    const character = text[place];
    if (character === '"') place = endOfString(text, place);
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    if (depth === 0) return place + 1;
  }
  return text.length;
}

/** The number or word (such as `true`) that begins at `at`; "" if there is none. */
export function literalAt(text: string, at: number): string {
  LITERAL.lastIndex = at;
  return LITERAL.exec(text)?.[0] ?? "";
}

/** The first position from `at` on without white space, byte order mark or record separator (RFC 7464, 2.2). */
export function behindBlanks(text: string, at: number): number {
  let place = at;
  while (isBlank(text.charCodeAt(place))) place += 1;
  return place;
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0x1e || code === 0xfeff;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LINE_FEED = 0x0a;
const LITERAL = /[-+.\w]*/y;
/** Scripts also write `\x22`. */
const ESCAPE = /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|([\s\S]))/gi;
const SHORT: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

function unescaped(whole: string, unit?: string, byte?: string, character?: string): string {
  const hex = unit ?? byte;
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  return character === undefined ? whole : (SHORT[character] ?? character);
}
