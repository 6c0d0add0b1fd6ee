import { percentDecoded } from "../../../engine/insights/facts/query-pairs.ts";
import { textOf } from "../../../engine/quoting/utf8.ts";
import { bytesPhrase } from "../../format/bytes.ts";
import { linesOf } from "./text-pieces.ts";

/*
 * A multipart body (RFC 2046, 5.1; forms: RFC 7578) as lines of text. Headings start in the first column, and lines
 * from the body are indented, so that no part can imitate a heading.
 */

const MOST_PARTS = 100;
/** The most bytes shown of a part's text, and the most bytes in which its head is looked for. */
const LONGEST_TEXT = 16 * 1024;
const LONGEST_HEAD = 8 * 1024;
/** The most characters of a head that are searched for names. */
const LONGEST_NAMES = 1024;

interface Part {
  readonly bytes: Uint8Array;
  /** The part's bytes as text, one character for each byte. */
  readonly text: string;
  /** Whether a delimiter follows the part. */
  readonly ended: boolean;
}

/** The lines to show; `null` if the type names no boundary, or no part begins with the boundary. */
export function multipartLinesOf(bytes: Uint8Array, contentType: string | null): readonly string[] | null {
  const boundary = boundaryOf(contentType);
  if (boundary === null) return null;
  const parts = partsIn(bytes, boundary);
  if (parts.length === 0) return null;
  const lines = parts.slice(0, MOST_PARTS).flatMap((part, index) => [...linesOfPart(part, index + 1), ""]);
  if (parts.length > MOST_PARTS) lines.push(`More than ${MOST_PARTS} parts. Choose Raw to see the others.`);
  return lines;
}

/** The boundary of a Content-Type: at most 70 characters (RFC 2046, 5.1.1). */
function boundaryOf(contentType: string | null): string | null {
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType ?? "") ?? [];
  return quoted ?? plain ?? null;
}

/** Parses at most one part more than is shown. */
function partsIn(bytes: Uint8Array, boundary: string): readonly Part[] {
  // The decoder "latin1" makes one character of each byte, so that offsets in text and bytes are equal.
  const text = new TextDecoder("latin1").decode(bytes);
  const delimiter = `--${boundary}`;
  const parts: Part[] = [];
  let from: number | null = null;
  for (let at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, at + delimiter.length)) {
    if (at > 0 && text[at - 1] !== "\n") continue;
    const after = at + delimiter.length;
    const isLast = text.startsWith("--", after);
    const begin = isLast ? after + 2 : afterLineEnd(text, after);
    // If the line continues after the delimiter, it is content.
    if (begin === null) continue;
    if (from !== null) {
      const end = Math.max(from, at - (text[at - 2] === "\r" ? 2 : 1));
      parts.push({ bytes: bytes.subarray(from, end), text: text.slice(from, end), ended: true });
    }
    from = begin;
    if (isLast || parts.length > MOST_PARTS) return parts;
  }
  if (from !== null) parts.push({ bytes: bytes.subarray(from), text: text.slice(from), ended: false });
  return parts;
}

/** The offset after spaces, tabs and a line end; `null` if another character follows. */
function afterLineEnd(text: string, from: number): number | null {
  let at = from;
  while (text[at] === " " || text[at] === "\t") at += 1;
  if (text[at] === "\r") at += 1;
  return text[at] === "\n" ? at + 1 : null;
}

function linesOfPart({ bytes, text, ended }: Part, number: number): readonly string[] {
  const start = text.slice(0, LONGEST_HEAD);
  // A part without a head begins with an empty line.
  const [emptyLine = ""] = /^\r?\n/.exec(start) ?? [];
  const headEnd = emptyLine === "" ? /\r?\n\r?\n/.exec(start) : null;
  const headLength = headEnd?.index ?? 0;
  const head = textOf(text.slice(0, headLength));
  const content = bytes.subarray(headLength + (headEnd?.[0].length ?? emptyLine.length));
  const size = bytesPhrase(content.length);
  const what = [`Part ${number}`, ...namesIn(head), size, ...(ended ? [] : ["its end is missing"])];
  const isHeadUnknown = emptyLine === "" && headEnd === null && text.length > LONGEST_HEAD;
  return [
    // A decoded name may contain line breaks.
    what.join(", ").replaceAll(/\p{Cc}/gu, " "),
    ...(isHeadUnknown ? [HEAD_UNKNOWN] : []),
    ...(head === "" ? [] : indented(head)),
    ...(content.length === 0 ? [] : ["", ...contentLines(content, size)]),
  ];
}

const HEAD_UNKNOWN = `The head does not end in the first ${bytesPhrase(LONGEST_HEAD)}. Head and content are shown together.`;

function contentLines(content: Uint8Array, size: string): readonly string[] {
  const text = decoded(content.subarray(0, LONGEST_TEXT));
  if (text === null) return ["  Not text in UTF-8. Choose Hex to see the bytes."];
  const cut = content.length > LONGEST_TEXT ? [`The first ${bytesPhrase(LONGEST_TEXT)} of ${size} are shown.`] : [];
  return [...indented(text), ...cut];
}

/** The bytes as text; `null` if they are not UTF-8 or contain a NUL. A character that is cut at the end is omitted. */
function decoded(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

function indented(text: string): readonly string[] {
  return linesOf(text).map((line) => `  ${line}`);
}

/** The field and file in a part's Content-Disposition, as far as named: 'field "a"', 'file "b.png"' (RFC 7578, 4.2). */
function namesIn(head: string): readonly string[] {
  const [, disposition = ""] = /^content-disposition[ \t]*:(.*)$/im.exec(head.slice(0, LONGEST_NAMES)) ?? [];
  const named = new Map<string, string>();
  for (const [, name = "", quoted, plain = ""] of disposition.matchAll(PARAMETER)) {
    named.set(name.toLowerCase(), quoted?.replaceAll(/\\(["\\])/g, "$1") ?? plain);
  }
  const extended = named.get("filename*")?.replace(/^[\w-]*'[\w-]*'/, "");
  const file = extended === undefined ? named.get("filename") : percentDecoded(extended);
  const field = named.get("name");
  return [...(field === undefined ? [] : [`field "${field}"`]), ...(file === undefined ? [] : [`file "${file}"`])];
}

const PARAMETER = /;\s*([\w*]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g;
