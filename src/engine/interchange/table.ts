/** The value of a cell. CSV and Markdown contain lists and objects as JSON. */
export type Cell = string | number | boolean | null | readonly Cell[] | { readonly [name: string]: Cell };

/** The columns in order, and the rows, whose further values are left out. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: Iterable<{ readonly [column: string]: Cell }>;
}

export type TableFormat = "json" | "csv" | "md";

/** The table's text in pieces, one for each row, so that a long table need not fit into one string. */
export function* piecesOf(table: Table, format: TableFormat): Generator<string, void, undefined> {
  switch (format) {
    case "json":
      yield* jsonPieces(table);
      break;
    case "csv":
      yield* csvPieces(table);
      break;
    case "md":
      yield* markdownPieces(table);
      break;
  }
}

function* jsonPieces({ columns, rows }: Table): Generator<string, void, undefined> {
  let separator = "[\n";
  for (const row of rows) {
    yield separator + JSON.stringify(Object.fromEntries(columns.map((column) => [column, row[column] ?? null])));
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]\n" : "\n]\n";
}

/** RFC 4180: lines end with CRLF; a field with a comma, a quote or a line break is quoted, with its quotes doubled. */
function* csvPieces({ columns, rows }: Table): Generator<string, void, undefined> {
  yield `${columns.map(csvField).join(",")}\r\n`;
  for (const row of rows) yield `${columns.map((column) => csvField(row[column] ?? null)).join(",")}\r\n`;
}

/**
 * Matches captured text that a spreadsheet would treat as a formula. CSV gets an apostrophe before such text, also
 * after a semicolon or a tab: some spreadsheets end a cell there. Numbers stay unchanged.
 */
const FORMULA = /^(?:\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/;
const FORMULA_SIGN = /[=+\-@\uff1d\uff0b\uff0d\uff20]/;

function csvField(cell: Cell): string {
  const text = textOf(cell);
  const safe = typeof cell === "number" ? text : withPictures(withoutFormulas(text));
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Adds the apostrophes that `FORMULA` explains. Scans backwards, so that each character is visited once. */
function withoutFormulas(text: string): string {
  const first = FORMULA.test(text) ? "'" : "";
  if (!/[;\t]/.test(text)) return first + text;
  let safe = "";
  let end = text.length;
  let isFormula = false;
  for (let at = text.length - 1; at > 0; at -= 1) {
    const character = text.charAt(at);
    isFormula = FORMULA_SIGN.test(character) || (isFormula && /[\s"']/.test(character));
    if (!isFormula || !/[;\t]/.test(text.charAt(at - 1))) continue;
    safe = `'${text.slice(at, end)}${safe}`;
    end = at;
  }
  return first + text.slice(0, end) + safe;
}

/** Replaces control characters by their pictures (from U+2400) or by U+FFFD. Tabs and line ends stay. */
function withPictures(text: string): string {
  return text.replaceAll(/(?![\t\r\n\u0085])\p{Cc}/gu, (control) => {
    const code = control.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "\u2421" : "\ufffd";
  });
}

function* markdownPieces({ columns, rows }: Table): Generator<string, void, undefined> {
  yield `| ${columns.map(markdownCell).join(" | ")} |\n|${" --- |".repeat(columns.length)}\n`;
  for (const row of rows) yield `| ${columns.map((column) => markdownCell(row[column] ?? null)).join(" | ")} |\n`;
}

/** A cell on one line, with captured text as plain text: no markup, no link, no HTML. */
function markdownCell(cell: Cell): string {
  return markdownText(textOf(cell));
}

/** Captured text on one line of Markdown: no markup, no link, no HTML. */
export function markdownText(text: string): string {
  return withoutMentions(
    visibleText(text)
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(/[\\`*_[\]|~]/g, "\\$&"),
  );
}

/**
 * Markdown that mentions nobody. GitHub and GitLab look for mentions in the rendered text, so no escape prevents them;
 * a zero-width space does.
 */
export function withoutMentions(markdown: string): string {
  return markdown.replaceAll("@", "@&#8203;");
}

/**
 * Captured text on one line: control characters, line separators, and characters that are invisible or change the
 * direction of text are escaped. So are the beginnings of commands to GitHub, Azure Pipelines and TeamCity, which read
 * the output of a step.
 */
export function visibleText(text: string): string {
  return text
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, escapeOf)
    .replaceAll(/##(?=[a-z]{0,20}\[)/gi, "#\\u{23}")
    .replaceAll(/(?<=^|\s)::(?=[a-z])/gi, "\\u{3a}:");
}

const ESCAPES: Readonly<Record<string, string>> = { "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function escapeOf(character: string): string {
  return ESCAPES[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** JSON text for a terminal or a log, with the characters and commands of `visibleText` escaped as JSON does. */
export function visibleJson(json: string): string {
  return json
    .replaceAll("##", "#\\u0023")
    .replaceAll(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
      Array.from({ length: character.length }, (_, at) => unitOf(character, at)).join(""),
    );
}

function unitOf(character: string, at: number): string {
  return `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
}

function textOf(cell: Cell): string {
  if (cell === null) return "";
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}
