/** Bytes per line of the hex view. */
export const HEX_LINE = 16;

//  48 54 54 50 2f 31 2e 31  20 32 30 30 20 4f 4b 0d  HTTP/1.1 200 OK·
//  0                        25                       50             66
const SECOND_HALF = 25;
const LETTERS = 50;
const WIDTH = 66;

const DIGITS = new TextEncoder().encode("0123456789abcdef");
const SPACE = 0x20;
const DOT = 0xb7;

export function hexLinesOf(bytes: Uint8Array): readonly string[] {
  const count = Math.ceil(bytes.length / HEX_LINE);
  const signs = new Uint8Array(count * WIDTH).fill(SPACE);
  for (const [index, byte] of bytes.entries()) {
    const column = index % HEX_LINE;
    const line = Math.floor(index / HEX_LINE) * WIDTH;
    const pair = line + 3 * column + (column < HEX_LINE / 2 ? 0 : SECOND_HALF - (3 * HEX_LINE) / 2);
    signs[pair] = DIGITS[byte >> 4] ?? 0;
    signs[pair + 1] = DIGITS[byte & 15] ?? 0;
    signs[line + LETTERS + column] = byte >= SPACE && byte < 0x7f ? byte : DOT;
  }
  // Lines are slices of one string: for megabytes, this is ten times faster than separate strings.
  const text = new TextDecoder("latin1").decode(signs);
  return Array.from({ length: count }, (_, line) => {
    const letters = Math.min(HEX_LINE, bytes.length - line * HEX_LINE);
    return text.slice(line * WIDTH, line * WIDTH + LETTERS + letters);
  });
}

/** The offset of the first byte of a line, in hexadecimal; lines count from 1. */
export function hexOffset(line: number): string {
  return ((line - 1) * HEX_LINE).toString(16).padStart(6, "0");
}
