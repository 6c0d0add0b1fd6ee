const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Bytes in base64 with padding (RFC 4648, 4). */
export function encodeBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let from = 0; from < bytes.length; from += PIECE) {
    let text = "";
    const to = Math.min(from + PIECE, bytes.length);
    for (let at = from; at < to; at += 3) {
      const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
      const size = Math.min(to - at, 3);
      for (let place = 0; place < 4; place += 1)
        text += place > size ? "=" : ALPHABET[(group >> (18 - 6 * place)) & 63];
    }
    pieces.push(text);
  }
  return pieces.join("");
}

/** The bytes of base64 text; line breaks and missing padding are forgiven, any other character gives `null`. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const plain = text.replaceAll(/[\t\n\r ]/g, "").replace(/={1,2}$/, "");
  if (plain.length % 4 === 1) return null;
  const bytes = new Uint8Array(Math.floor((plain.length * 3) / 4));
  let length = 0;
  let bits = 0;
  let group = 0;
  for (let at = 0; at < plain.length; at += 1) {
    const value = VALUES[plain.charCodeAt(at)] ?? NONE;
    if (value === NONE) return null;
    group = ((group << 6) | value) & 0xffffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[length++] = (group >> bits) & 0xff;
  }
  return bytes;
}

/** Bytes that are encoded as one piece; a multiple of 3. */
const PIECE = 3 * 4_096;

const NONE = 0xff;

/** By character code, the value of a digit. */
const VALUES: Readonly<Uint8Array> = valuesOf(ALPHABET);

function valuesOf(alphabet: string): Uint8Array {
  const values = new Uint8Array(128).fill(NONE);
  for (const [value, digit] of Array.from(alphabet).entries()) values[digit.charCodeAt(0)] = value;
  return values;
}
