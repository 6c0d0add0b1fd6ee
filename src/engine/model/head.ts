/** One header line. Name and value are latin1 text as sent, without white space around the value. */
export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

/** The header lines of a head in order, with duplicates (RFC 9112, 2.1). */
export function fieldsOf(head: string): readonly HeaderField[] {
  const fields: HeaderField[] = [];
  for (const line of head.split("\n").slice(1)) {
    const field = fieldOf(line);
    if (field !== null) fields.push(field);
  }
  return fields;
}

/** Parses a header line; `null` if there is no name before a colon. */
export function fieldOf(line: string): HeaderField | null {
  const colon = line.indexOf(":");
  return colon > 0 ? { name: line.slice(0, colon), value: trimmed(line.slice(colon + 1)) } : null;
}

/** The values of all header lines with this lower-case name, in order. */
export function valuesOf(head: string, name: string): readonly string[] {
  return fieldsOf(head).flatMap((field) => (field.name.toLowerCase() === name ? [field.value] : []));
}

/**
 * The value of the first header line with this lower-case name; `null` if there is none. Stops at the first match,
 * since it runs for every exchange.
 */
export function headerOf(head: string, name: string): string | null {
  const line = lineOf(head, name, 0);
  return line === null ? null : valueAt(head, line + name.length + 1);
}

/**
 * The values of all header lines with this lower-case name, joined by commas (RFC 9110, 5.3); `null` if there is none.
 */
export function listOf(head: string, name: string): string | null {
  let list: string | null = null;
  for (let line = lineOf(head, name, 0); line !== null; line = lineOf(head, name, line)) {
    const value = valueAt(head, line + name.length + 1);
    list = list === null ? value : `${list}, ${value}`;
  }
  return list;
}

/**
 * The index of the next header line with this lower-case name, after the line that contains `from`; `null` if there is
 * none.
 */
function lineOf(head: string, name: string, from: number): number | null {
  let line = head.indexOf("\n", from) + 1;
  while (line > 0 && line < head.length) {
    const colon = line + name.length;
    if (head.charCodeAt(colon) === COLON && head.slice(line, colon).toLowerCase() === name) return line;
    line = head.indexOf("\n", line) + 1;
  }
  return null;
}

function valueAt(head: string, from: number): string {
  const end = head.indexOf("\n", from);
  return trimmed(head.slice(from, end < 0 ? head.length : end));
}

/** The status in a response's status line; `null` if there is none. */
export function statusIn(head: string): number | null {
  const status = /^\S+ (\d{3})/.exec(head)?.[1];
  return status === undefined ? null : Number(status);
}

/** The reason phrase in a response's status line; "" if there is none. */
export function reasonOf(head: string): string {
  return /^\S+ \d{3} ?([^\r\n]*)/.exec(head)?.[1] ?? "";
}

/** The most characters that are stored of a head, and of its start line if the head is longer. */
export const STORED_HEAD = 32 * 1024;
const STORED_START_LINE = 4 * 1024;

/**
 * The head as it is stored. A longer one than `STORED_HEAD` loses the lines that do not fit, the end of its start line,
 * and its final empty line, by whose absence `isCutHead` knows it. One huge line costs no other.
 */
export function storedHead(head: string): string {
  if (head.length <= STORED_HEAD) return head;
  const [start = "", ...lines] = head.split(/(?<=\n)/);
  let kept = start.length <= STORED_START_LINE ? start : `${start.slice(0, STORED_START_LINE)}\r\n`;
  for (const line of lines) if (kept.length + line.length <= STORED_HEAD && !/^\r?\n$/.test(line)) kept += line;
  return kept;
}

/** Whether a head is incomplete: it was cut, or it could not be read to its end. */
export function isCutHead(head: string): boolean {
  return !/\n\r?\n$/.test(head);
}

/** What is missing of a stored head, as a sentence; `null` if nothing is, or if there was no head. */
export function headLossOf(head: string | null): string | null {
  if (head === null) return null;
  if (head === "") return "Weir no longer keeps these headers.";
  return isCutHead(head) ? "Weir kept only a part of these headers, because they are too long." : null;
}

const COLON = ":".charCodeAt(0);

/** The text without optional white space around it (space and tab; RFC 9110, 5.5), and without the CR of a line end. */
function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && (text[start] === " " || text[start] === "\t")) start += 1;
  while (end > start && (text[end - 1] === " " || text[end - 1] === "\t" || text[end - 1] === "\r")) end -= 1;
  return text.slice(start, end);
}
