/*
 * Text and bytes. A byte that is no UTF-8 stands in text as the lone surrogate U+DC00 + byte (0xDC80 … 0xDCFF), which
 * no real text holds, so bytes → text → bytes always gives the same bytes.
 */

/** The bytes of `text` in UTF-8. A lone surrogate that stands for no byte becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    let point = text.codePointAt(at) ?? 0;
    if (point > 0xffff) at += 1;
    if (point >= 0xdc80 && point <= 0xdcff) {
      bytes[length++] = point - 0xdc00;
      continue;
    }
    if (point >= 0xd800 && point <= 0xdfff) point = 0xfffd;
    if (point < 0x80) bytes[length++] = point;
    else if (point < 0x800) {
      bytes[length++] = 0xc0 | (point >> 6);
      bytes[length++] = 0x80 | (point & 0x3f);
    } else {
      if (point < 0x10000) bytes[length++] = 0xe0 | (point >> 12);
      else {
        bytes[length++] = 0xf0 | (point >> 18);
        bytes[length++] = 0x80 | ((point >> 12) & 0x3f);
      }
      bytes[length++] = 0x80 | ((point >> 6) & 0x3f);
      bytes[length++] = 0x80 | (point & 0x3f);
    }
  }
  return bytes.slice(0, length);
}

/** The text of `bytes`; never fails. Overlong forms, surrogates and points over U+10FFFF are no UTF-8 (RFC 3629, 3). */
export function decodeUtf8(bytes: Uint8Array): string {
  const pieces: string[] = [];
  let units: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = sequenceAt(bytes, at);
    if (size === 0) units.push(0xdc00 + (bytes[at] ?? 0));
    else {
      const point = pointAt(bytes, at, size);
      if (point < 0x10000) units.push(point);
      else units.push(0xd7c0 + (point >> 10), 0xdc00 + (point & 0x3ff));
    }
    at += Math.max(size, 1);
    if (units.length < CHUNK) continue;
    pieces.push(String.fromCharCode(...units));
    units = [];
  }
  return pieces.join("") + String.fromCharCode(...units);
}

/** Whether `text` came from bytes that were not all UTF-8. */
export function holdsRawBytes(text: string): boolean {
  return /[\udc80-\udcff]/u.test(text);
}

/** Latin1 text, one character a byte, as bytes. */
export function bytesOfLatin1(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Characters joined at a time; far below what one call can take as arguments. */
const CHUNK = 8_192;

/** How many bytes the well-formed sequence at `at` has; 0 if there is none. */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const size = sizeAfter(first);
  const second = bytes[at + 1] ?? 0;
  if (size === 0 || !isTail(second)) return 0;
  if ((first === 0xe0 && second < 0xa0) || (first === 0xed && second > 0x9f)) return 0;
  if ((first === 0xf0 && second < 0x90) || (first === 0xf4 && second > 0x8f)) return 0;
  for (let next = at + 2; next < at + size; next += 1) if (!isTail(bytes[next] ?? 0)) return 0;
  return size;
}

function sizeAfter(first: number): number {
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

function isTail(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function pointAt(bytes: Uint8Array, at: number, size: number): number {
  let point = (bytes[at] ?? 0) & (size === 1 ? 0x7f : 0xff >> (size + 1));
  for (let next = at + 1; next < at + size; next += 1) point = (point << 6) | ((bytes[next] ?? 0) & 0x3f);
  return point;
}
