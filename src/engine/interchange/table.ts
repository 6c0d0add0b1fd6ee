/** What a cell may hold: CSV and Markdown write lists and objects as JSON. */
export type Cell = string | number | boolean | null | readonly Cell[] | { readonly [name: string]: Cell };

/** Rows of one shape, their columns in order. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: Iterable<{ readonly [column: string]: Cell }>;
}

export type TableFormat = "json" | "csv" | "md";

/** The table's text in pieces, a row each, so that no table needs to fit in one string. */
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

/** RFC 4180: lines end in CRLF, a field with a comma, quote or line break is quoted, a quote doubled. */
function* csvPieces({ columns, rows }: Table): Generator<string, void, undefined> {
  yield `${columns.map(csvField).join(",")}\r\n`;
  for (const row of rows) yield `${columns.map((column) => csvField(row[column] ?? null)).join(",")}\r\n`;
}

/**
 * Captured text may begin with what a spreadsheet takes for a formula; it then gets a leading apostrophe, which a
 * spreadsheet shows as text. So does what stands behind a semicolon or a tab, which part cells where the comma is the
 * decimal sign, and before which our quotes mean nothing then. Numbers are ours and stay numbers, negative ones too. Our choice: safe in a spreadsheet
 * rather than byte-equal; `json` is the exact form.
 */
const FORMULA =
  /^(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])|(?<=[;\t])(?=[\s"']*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

function csvField(cell: Cell): string {
  const text = textOf(cell);
  const safe = typeof cell === "number" ? text : unspoken(text.replaceAll(FORMULA, "'"));
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function* markdownPieces({ columns, rows }: Table): Generator<string, void, undefined> {
  yield `| ${columns.map(markdownCell).join(" | ")} |\n|${" --- |".repeat(columns.length)}\n`;
  for (const row of rows) yield `| ${columns.map((column) => markdownCell(row[column] ?? null)).join(" | ")} |\n`;
}

/** A cell stays one cell on one line, and captured text stays text: no markup, no link, no HTML. */
function markdownCell(cell: Cell): string {
  return unspoken(textOf(cell))
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/[\\`*_[\]|~]/g, "\\$&")
    .replaceAll(/\r\n|[\r\n\u0085\u2028\u2029]/g, " ");
}

/** A terminal obeys control characters: each but tab and line ends stands as its picture (U+2400 and on). */
function unspoken(text: string): string {
  return text.replaceAll(/(?![\t\r\n\u0085])\p{Cc}/gu, (control) => {
    const code = control.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "\u2421" : "\ufffd";
  });
}

function textOf(cell: Cell): string {
  if (cell === null) return "";
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}
