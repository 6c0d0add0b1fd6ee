/** One header line. Name and value as sent (latin1 text), without the whitespace around the value. */
export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

/** The header lines of a request's or response's head, in order, duplicates kept (RFC 9112, 2.1). */
export function fieldsOf(head: string): readonly HeaderField[] {
  const fields: HeaderField[] = [];
  for (const line of head.split("\n").slice(1)) {
    const colon = line.indexOf(":");
    if (colon > 0) fields.push({ name: line.slice(0, colon), value: trimmed(line.slice(colon + 1)) });
  }
  return fields;
}

/** The values of all header lines of that name (lower-case), in order. */
export function valuesOf(head: string, name: string): readonly string[] {
  return fieldsOf(head).flatMap((field) => (field.name.toLowerCase() === name ? [field.value] : []));
}

/**
 * The value of the first header line of that name (lower-case); `null` if there is none. Reads no further than it must:
 * it runs for every exchange.
 */
export function headerOf(head: string, name: string): string | null {
  let line = head.indexOf("\n") + 1;
  while (line > 0 && line < head.length) {
    const colon = line + name.length;
    const end = head.indexOf("\n", line);
    if (head.charCodeAt(colon) === COLON && head.slice(line, colon).toLowerCase() === name) {
      return trimmed(head.slice(colon + 1, end < 0 ? head.length : end));
    }
    line = end + 1;
  }
  return null;
}

/** What a response's first line says; `null` where it says none. */
export function statusIn(head: string): number | null {
  const status = /^\S+ (\d{3})/.exec(head)?.[1];
  return status === undefined ? null : Number(status);
}

/** What follows the protocol and the status in a response's first line; "" where there is none. */
export function reasonOf(head: string): string {
  return /^\S+ \d{3} ?([^\r\n]*)/.exec(head)?.[1] ?? "";
}

const COLON = ":".charCodeAt(0);

/** RFC 9110, 5.5: only space and tab are optional whitespace; a CR belongs to the line's end. */
function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && (text[start] === " " || text[start] === "\t")) start += 1;
  while (end > start && (text[end - 1] === " " || text[end - 1] === "\t" || text[end - 1] === "\r")) end -= 1;
  return text.slice(start, end);
}
