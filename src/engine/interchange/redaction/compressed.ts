import { decodeUtf8 } from "../../quoting/utf8.ts";

/** Whether the data starts with the magic number of gzip (RFC 1952, 2.3.1) or zstd (RFC 8878, 3.1.1). */
export function hasMagicNumber([a, b, c, d]: Uint8Array): boolean {
  return (a === 0x1f && b === 0x8b && c === 8) || (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd);
}

/** Whether `hasMagicNumber` applies, or the bytes start like zlib (RFC 1950, 2.2) and are not text. */
export function isCompressed(bytes: Uint8Array): boolean {
  if (hasMagicNumber(bytes)) return true;
  const [a = 0, b = 0] = bytes;
  return a === 0x78 && (256 * a + b) % 31 === 0 && decodeUtf8(bytes) === null;
}
