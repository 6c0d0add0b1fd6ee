export const HTAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const COLON = 0x3a;

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

/** The end of the field text that starts at `from`. */
export function textEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (TEXT[bytes[at] ?? 0] === 1) at += 1;
  return at;
}

/** The end of the request target that starts at `from`. */
export function targetEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (TARGET[bytes[at] ?? 0] === 1) at += 1;
  return at;
}

/** Whether all of `text` is one token. */
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
