/** Byte orders, as in the names of UTF-16's charsets. */
export type ByteOrder = "le" | "be";

/**
 * The byte order of UTF-16, by its mark (RFC 2781, 3.2), by the charset, or by letters beside a zero byte; `null` if
 * the bytes are not UTF-16.
 */
export function utf16OrderOf(bytes: Uint8Array, charset: string | null): ByteOrder | null {
  const [a = 1, b = 1, c = 1, d = 1] = bytes;
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? null : "le";
  if (a === 0xfe && b === 0xff) return "be";
  if (a !== 0 && b === 0 && c !== 0 && d === 0) return "le";
  if (a === 0 && b !== 0 && c === 0 && d !== 0) return "be";
  const named = /^utf-?16(le|be)?$/i.exec(charset ?? "");
  if (named === null) return null;
  return named[1]?.toLowerCase() === "le" ? "le" : "be";
}

/** Decodes UTF-16. Half a character at the end becomes U+FFFD. */
export function decodeUtf16(bytes: Uint8Array, order: ByteOrder): string {
  return new TextDecoder(`utf-16${order}`, { ignoreBOM: true }).decode(bytes);
}

export function encodeUtf16(text: string, order: ByteOrder): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length * 2);
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    bytes[2 * at] = order === "le" ? unit & 0xff : unit >> 8;
    bytes[2 * at + 1] = order === "le" ? unit >> 8 : unit & 0xff;
  }
  return bytes;
}
