import { type HeaderLine, type Limits, type Refusal, refusal } from "./message.ts";

/**
 * The names of fields that Weir acts on, grouped by length, so that most lines need only one look-up: framing, Host,
 * hop-by-hop fields (RFC 9110, 7.6.1), Max-Forwards (7.6.2), and credentials for proxies (11.7).
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

/** A validated block of header lines. */
export interface Fields {
  readonly kind: "fields";
  /** The lines in `ACTED_ON` and the lines that Connection names, in order. */
  readonly notable: readonly HeaderLine[];
  /** The members of Connection in lower case. */
  readonly options: readonly string[];
}

const NO_OPTIONS: readonly string[] = Object.freeze([]);

/**
 * Checks each line from `from` to the empty line that ends the section (RFC 9112, 5); parses only the notable lines.
 * `bytes` and `text` (latin1) are the same section, so offsets are valid in both.
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
    if (bytes[end] !== CR || bytes[end + 1] !== LF) return badValue(bytes, end, text.slice(at, end));
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

/** Every line of a block that `fieldsOf` has checked. */
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

/** The members of a comma-separated value (RFC 9110, 5.6.1) in lower case, without empty ones. */
export function membersOf(value: string): string[] {
  return value
    .toLowerCase()
    .split(",")
    .map(withoutBlanks)
    .filter((member) => member !== "");
}

/**
 * Adds the further lines that Connection names (RFC 9110, 7.6.1). Finding them takes a second pass, which is skipped if
 * Connection names none.
 */
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

/**
 * Whether the bytes at `from` are `name` in any letter case. Bit 0x20 is a letter's case; setting it turns no other
 * character of a token into a letter or a hyphen.
 */
function isSameName(bytes: Uint8Array, from: number, name: string): boolean {
  for (let at = 0; at < name.length; at += 1) {
    if (((bytes[from + at] ?? 0) | 0x20) !== name.charCodeAt(at)) return false;
  }
  return true;
}

function cut(text: string, name: string, at: number, colon: number, end: number): HeaderLine {
  return { name, value: withoutBlanks(text.slice(colon + 1, end)), raw: text.slice(at, end), at };
}

/** The text without spaces and tabs at both ends. HTTP has no other white space (RFC 9110, 5.6.3). */
export function withoutBlanks(text: string): string {
  let first = 0;
  let last = text.length;
  while (first < last && isBlank(text.charCodeAt(first))) first += 1;
  while (last > first && isBlank(text.charCodeAt(last - 1))) last -= 1;
  return text.slice(first, last);
}

function isBlank(code: number | undefined): boolean {
  return code === SPACE || code === HTAB;
}

function badName(bytes: Uint8Array, at: number, end: number): Refusal {
  if (isBlank(bytes[at])) return refusal(400, "a header line continued on a second line"); // RFC 9112, 5.2
  if (bytes[end] === COLON) return refusal(400, "a header line without a name");
  let next = end;
  while (isBlank(bytes[next])) next += 1;
  if (next > end && bytes[next] === COLON) return refusal(400, "white space before the colon of a header line"); // RFC 9112, 5.1
  return refusal(400, "a header line without a colon, or with an invalid character in its name");
}

function badValue(bytes: Uint8Array, end: number, line: string): Refusal {
  const next = bytes[end];
  if (next === CR) return refusal(400, `a carriage return without its line feed${inField(line)}`); // RFC 9112, 2.2
  if (next === LF) return refusal(400, `a line feed without its carriage return${inField(line)}`); // RFC 9112, 2.2
  return refusal(400, `a control character${inField(line)}`); // RFC 9110, 5.5
}

/** The most characters that a refusal's reason quotes of a field's name. */
const LONGEST_TOLD = 80;

/**
 * Returns ` in <name>` for the field of an incomplete line, as the end of a sentence; "" if the line has no valid name.
 */
export function inField(line: string): string {
  const name = withoutBlanks(line.slice(0, Math.max(0, line.indexOf(":"))));
  if (!isToken(name)) return "";
  return ` in ${name.length > LONGEST_TOLD ? `${name.slice(0, LONGEST_TOLD)}…` : name}`;
}

function byLength(names: readonly string[]): string[][] {
  const longest = Math.max(...names.map((name) => name.length));
  return Array.from({ length: longest + 1 }, (_, length) => names.filter((name) => name.length === length));
}

const HTAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
const COLON = 0x3a;

/** RFC 9110, 5.6.2: `tchar`. NUL is in no table, because the scans below read NUL after the last byte. */
const TOKEN = table((code) => /[!#$%&'*+\-.^_`|~0-9A-Za-z]/.test(String.fromCharCode(code)));
/** RFC 9110, 5.5: visible characters, space, tab and obs-text. */
const TEXT = table((code) => code === HTAB || (code >= SPACE && code !== 0x7f));
/** RFC 9112, 3.2, as real clients use it: visible ASCII, and bytes above 0x7f, which servers read as UTF-8. */
const TARGET = table((code) => code > SPACE && code !== 0x7f);

/** The end of the token that starts at `from`. Scans bytes, since scanning text takes three times as long. */
export function tokenEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (TOKEN[bytes[at] ?? 0] === 1) at += 1;
  return at;
}

export function textEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (TEXT[bytes[at] ?? 0] === 1) at += 1;
  return at;
}

export function targetEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (TARGET[bytes[at] ?? 0] === 1) at += 1;
  return at;
}

export function isToken(text: string): boolean {
  return text !== "" && Array.from(text).every((character) => TOKEN[character.charCodeAt(0)] === 1);
}

/** Whether a byte is valid in a head: field text, or part of a line end. */
export function isHeadByte(byte: number): boolean {
  return byte === CR || byte === LF || TEXT[byte] === 1;
}

function table(holds: (code: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => (holds(code) ? 1 : 0));
}

/**
 * A name, an IPv4 address or an IPv6 address in brackets, and an optional port (RFC 3986, 3.2.2, without comma and
 * user-info).
 */
const AUTHORITY = /^(?:\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z\-._~!$&'()*+;=%]+)(?::(\d{0,5}))?$/;

/** Whether `text` is valid in Host or after `scheme://`: exactly one host, without user-info, comma or space. */
export function isAuthority(text: string): boolean {
  const match = AUTHORITY.exec(text);
  return match !== null && Number(match[1] ?? 0) <= 65_535;
}

/** Whether `text` is a valid target of CONNECT, which must have a port (RFC 9110, 9.3.6). */
export function isConnectTarget(text: string): boolean {
  const match = AUTHORITY.exec(text);
  const port = Number(match?.[1] ?? 0);
  return port >= 1 && port <= 65_535;
}
