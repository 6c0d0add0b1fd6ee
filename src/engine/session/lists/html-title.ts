import type { Bytes } from "../../model/units.ts";

/** How far into a document its title is looked for. */
export const TITLE_WITHIN: Bytes = 64 * 1024;

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** The title of an HTML document as text, with its character references resolved; "" if its beginning has none. */
export function htmlTitleOf(document: Uint8Array): string {
  const title = titleIn(textOf(document.subarray(0, TITLE_WITHIN)));
  return title
    .replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0x10_ff_ff ? whole : String.fromCodePoint(code);
    })
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The text of the first title outside a comment; "" without a whole one. A title has no elements (HTML, 13.2.5.2). */
function titleIn(html: string): string {
  const lower = html.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  for (let at = lower.indexOf("<"); at >= 0; ) {
    if (lower.startsWith("<!--", at)) {
      const end = lower.indexOf("-->", at + 4);
      if (end < 0) return "";
      at = end;
    } else if (lower.startsWith("<title", at) && /[\s>]/.test(lower.charAt(at + 6))) {
      const from = lower.indexOf(">", at) + 1;
      const to = from === 0 ? -1 : lower.indexOf("</title", from);
      return to < 0 ? "" : html.slice(from, to);
    }
    at = lower.indexOf("<", at + 1);
  }
  return "";
}

/** UTF-8, else Windows-1252, which pages of older servers mostly are. The last character may be cut. */
function textOf(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes, { stream: true });
  return text.includes("\ufffd") ? new TextDecoder("windows-1252").decode(bytes) : text;
}
