import { COLON, CR, HTAB, LF, SPACE, textEnd, tokenEnd } from "./characters.ts";
import type { Limits } from "./limits.ts";
import type { HeaderLine } from "./message.ts";
import { type Refusal, refusal } from "./refusal.ts";

/**
 * The names this codec acts on, by length, so that most lines cost one look: message framing, Host, what is said to the
 * next hop only (RFC 9110, 7.6.1), how many may follow it (7.6.2), and credentials meant for a proxy (11.7).
 */
const ACTED_ON: readonly (readonly string[])[] = byLength([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "max-forwards",
  "proxy-authenticate",
  "proxy-authentication-info",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "transfer-encoding",
  "upgrade",
]);

/** A checked block of header lines. */
export interface Fields {
  readonly kind: "fields";
  /** The lines this codec acts on, and those that Connection names, in order. */
  readonly notable: readonly HeaderLine[];
  /** Lower-case members of Connection. */
  readonly options: readonly string[];
}

const NO_OPTIONS: readonly string[] = Object.freeze([]);

/**
 * Checks every line from `from` to the empty line that ends the section (RFC 9112, 5); cuts out only the notable ones.
 * `bytes` and `text` are the same section, before and after latin1, so positions in one are positions in the other.
 */
export function fieldsOf(bytes: Uint8Array, text: string, from: number, limits: Limits): Fields | Refusal {
  const notable: HeaderLine[] = [];
  let connection: string | null = null;
  let at = from;
  let count = 0;
  while (bytes[at] !== CR) {
    count += 1;
    if (count > limits.lines) return refusal(431, `more than ${limits.lines} header lines`);
    const colon = tokenEnd(bytes, at);
    if (colon === at || bytes[colon] !== COLON) return badName(bytes, at, colon);
    const end = textEnd(bytes, colon + 1);
    if (bytes[end] !== CR || bytes[end + 1] !== LF) return badValue(bytes, end);
    const name = actedOn(bytes, at, colon);
    if (name !== null) {
      const line = cut(text, name, at, colon, end);
      notable.push(line);
      if (name === "connection") connection = connection === null ? line.value : `${connection},${line.value}`;
    }
    at = end + 2;
  }
  if (bytes[at + 1] !== LF) return refusal(400, "a carriage return without its line feed");
  if (connection === null) return { kind: "fields", notable, options: NO_OPTIONS };
  const options = membersOf(connection);
  return { kind: "fields", notable: withNamed(notable, options, text, from), options };
}

/** Every line of a block that `fieldsOf` found good. */
export function linesOf(text: string, from: number): HeaderLine[] {
  const lines: HeaderLine[] = [];
  let at = from;
  while (text.charCodeAt(at) !== CR) {
    const colon = text.indexOf(":", at);
    const end = text.indexOf("\r\n", colon);
    lines.push(cut(text, text.slice(at, colon).toLowerCase(), at, colon, end));
    at = end + 2;
  }
  return lines;
}

/** The lower-case members of a comma-separated value (RFC 9110, 5.6.1); empty ones do not count. */
export function membersOf(value: string): string[] {
  return value
    .toLowerCase()
    .split(/[ \t]*,[ \t]*/)
    .filter((member) => member !== "");
}

/** Connection may name any line (RFC 9110, 7.6.1): only then is a second walk needed. */
function withNamed(notable: HeaderLine[], options: readonly string[], text: string, from: number): HeaderLine[] {
  const others = new Set(options.filter((option) => option !== "close" && !isActedOn(option)));
  if (others.size === 0) return notable;
  return linesOf(text, from).filter((line) => isActedOn(line.name) || others.has(line.name));
}

function isActedOn(name: string): boolean {
  return ACTED_ON[name.length]?.includes(name) === true;
}

function actedOn(bytes: Uint8Array, at: number, colon: number): string | null {
  const names = ACTED_ON[colon - at];
  if (names === undefined) return null;
  for (const name of names) if (isSameName(bytes, at, name)) return name;
  return null;
}

/** Bit 0x20 is the case of a letter; no other token character turns into a letter or a hyphen by it. */
function isSameName(bytes: Uint8Array, from: number, name: string): boolean {
  for (let at = 0; at < name.length; at += 1) {
    if (((bytes[from + at] ?? 0) | 0x20) !== name.charCodeAt(at)) return false;
  }
  return true;
}

function cut(text: string, name: string, at: number, colon: number, end: number): HeaderLine {
  let first = colon + 1;
  let last = end;
  while (first < last && isBlank(text.charCodeAt(first))) first += 1;
  while (last > first && isBlank(text.charCodeAt(last - 1))) last -= 1;
  return { name, value: text.slice(first, last), raw: text.slice(at, end), at };
}

function isBlank(code: number | undefined): boolean {
  return code === SPACE || code === HTAB;
}

function badName(bytes: Uint8Array, at: number, end: number): Refusal {
  const next = bytes[end];
  if (end > at && isBlank(next)) return refusal(400, "white space before the colon of a header line"); // RFC 9112, 5.1
  if (isBlank(bytes[at])) return refusal(400, "a header line continued on a second line"); // RFC 9112, 5.2
  if (next === COLON) return refusal(400, "a header line without a name");
  return refusal(400, "a header line without a colon, or with a character that no name may have");
}

function badValue(bytes: Uint8Array, end: number): Refusal {
  const next = bytes[end];
  if (next === CR) return refusal(400, "a carriage return without its line feed"); // RFC 9112, 2.2
  if (next === LF) return refusal(400, "a line feed without its carriage return"); // RFC 9112, 2.2
  return refusal(400, "a control character in a header value"); // RFC 9110, 5.5
}

function byLength(names: readonly string[]): string[][] {
  const longest = Math.max(...names.map((name) => name.length));
  return Array.from({ length: longest + 1 }, (_, length) => names.filter((name) => name.length === length));
}
