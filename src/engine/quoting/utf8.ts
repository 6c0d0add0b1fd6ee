/*
 * Text and bytes. "Lossless text" keeps every byte: a byte that is not UTF-8 is the lone surrogate U+DC00 + byte
 * (0xDC80 … 0xDCFF), which no real text contains.
 */

const DECODER = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const SHOWN = new TextDecoder("utf-8", { ignoreBOM: true });
const ENCODER = new TextEncoder();

/** The text of `bytes`; `null` if they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return DECODER.decode(bytes);
  } catch {
    return null;
  }
}

/** The bytes of lossless text in UTF-8. A lone surrogate that stands for no byte becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return holdsRawBytes(text) ? bytesOfLatin1(latin1OfText(text)) : ENCODER.encode(text);
}

/** Whether lossless text came from bytes that were not all UTF-8. */
export function holdsRawBytes(text: string): boolean {
  return /[\udc80-\udcff]/u.test(text);
}

/** The bytes of latin1 text, one per character. */
export function bytesOfLatin1(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

export function joinedBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  if (pieces.length === 1 && first !== undefined) return first;
  const joined = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

/** Decodes as Node.js does: malformed bytes become U+FFFD, and a byte order mark is text. */
export function shownUtf8(bytes: Uint8Array): string {
  return SHOWN.decode(bytes);
}

/** Bytes as latin1 text, one character each. */
export function latin1Of(bytes: Uint8Array): string {
  return atob(bytes.toBase64());
}

/** Decodes latin1 text as UTF-8; invalid UTF-8 stays latin1. */
export function textOf(latin1: string): string {
  return isAscii(latin1) ? latin1 : (decodeUtf8(bytesOfLatin1(latin1)) ?? latin1);
}

/** Matches, in latin1 text, a UTF-8 sequence of two or more bytes (RFC 3629, 4), or any other byte above ASCII. */
const SEQUENCES =
  /((?:[\xc2-\xdf]|\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f]|\xf0[\x90-\xbf][\x80-\xbf]|[\xf1-\xf3][\x80-\xbf]{2}|\xf4[\x80-\x8f][\x80-\xbf])[\x80-\xbf])|[\x80-\xff]/g;

/** Lossless text from UTF-8 bytes that are given as latin1 text. */
export function textOfLatin1(latin1: string): string {
  if (isAscii(latin1)) return latin1;
  // Far quicker than a call for each sequence.
  const whole = decodeUtf8(bytesOfLatin1(latin1));
  if (whole !== null) return whole;
  return latin1.replaceAll(SEQUENCES, (bytes, sequence) =>
    sequence === undefined ? String.fromCharCode(0xdc00 + bytes.charCodeAt(0)) : characterOf(sequence),
  );
}

/** The character of a UTF-8 sequence of two to four bytes, without a decoder's cost for each call. */
function characterOf(sequence: string): string {
  let point = sequence.charCodeAt(0) & (0x7f >> sequence.length);
  for (let at = 1; at < sequence.length; at += 1) point = (point << 6) | (sequence.charCodeAt(at) & 0x3f);
  return String.fromCodePoint(point);
}

/** The UTF-8 bytes of lossless text, as latin1 text. */
export function latin1OfText(text: string): string {
  if (isAscii(text)) return text;
  return text
    .split(/([\udc80-\udcff])/u)
    .map((part, index) =>
      index % 2 === 1 ? String.fromCharCode(part.charCodeAt(0) - 0xdc00) : latin1Of(ENCODER.encode(part)),
    )
    .join("");
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}
