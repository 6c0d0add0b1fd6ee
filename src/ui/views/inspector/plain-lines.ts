/** A line longer than this goes on in the next row: a minified script is one line of megabytes. Our choice. */
const LONGEST = 1_000;
/** Bytes in a row of the hex view. */
export const HEX_ROW = 16;

/** A row of text; `number` is empty where it continues the line before. */
export interface TextLine {
  readonly number: string;
  readonly text: string;
}

/** Text in rows that are short enough to draw. */
export function textLinesOf(text: string): readonly TextLine[] {
  const rows: TextLine[] = [];
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    rows.push({ number: String(index + 1), text: line.slice(0, LONGEST) });
    for (let at = LONGEST; at < line.length; at += LONGEST)
      rows.push({ number: "", text: line.slice(at, at + LONGEST) });
  }
  return rows;
}

/** "00000010  48 54 54 50 …  HTTP…": row `index` of the hex view. */
export function hexLineOf(bytes: Uint8Array, index: number): TextLine {
  const row = bytes.subarray(index * HEX_ROW, (index + 1) * HEX_ROW);
  const pairs = Array.from(row, (byte) => byte.toString(16).padStart(2, "0"));
  const left = pairs.slice(0, 8).join(" ").padEnd(23);
  const right = pairs.slice(8).join(" ").padEnd(23);
  const letters = Array.from(row, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·")).join("");
  return { number: (index * HEX_ROW).toString(16).padStart(6, "0"), text: `${left}  ${right}  ${letters}` };
}
