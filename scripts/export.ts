import { type ExportForm, exportText } from "../extensions/proxy/export/export-text.ts";
import { type OpenedSource, openSource, type Wanted } from "../extensions/proxy/export/opened-source.ts";
import { BAD_USAGE, DATA_FOLDER_UNUSABLE } from "../extensions/proxy/process/exit-codes.ts";
import { EXPORT_TABLES, type ExportTable } from "../src/engine/messages/exchange-messages.ts";
import { failure, type Result, success } from "../src/engine/model/result.ts";
import { complain, complainOf, emptyAmong, wantedOf, writeText } from "./command.ts";
import { listedBy } from "./command-help.ts";
import type { ParsedFor } from "./command-table.ts";

/** Exports a recording, even while Weir runs, or HAR files. Returns the exit code. */
export async function main(given: ParsedFor<"export">): Promise<number> {
  const read = optionsOf(given);
  if (!read.ok) return complain(BAD_USAGE, read.problem, listedBy("export"));
  const options = read.value;
  const [only] = options.wanted;
  if (options.wanted.length > 1 || only === undefined) return exportList(options);
  const source = await openSource(only);
  if (!source.ok) return complain(source.code, source.problem);
  try {
    return await exportOne(source.value, options);
  } finally {
    source.value.close();
  }
}

async function exportOne(source: OpenedSource, { form, filter, redact, out }: Options): Promise<number> {
  const text = exportText(source, form, filter, redact);
  if (!text.ok) return complain(BAD_USAGE, text.problem);
  try {
    const problem = await writeText(textsOf(text.value), out);
    if (problem !== null) return problem;
  } catch (error) {
    if (!source.reader.isClosed) throw error;
    return complain(DATA_FOLDER_UNUSABLE, `Session ${source.name} was cleared or deleted while it was exported.`);
  }
  complainOf(source);
  return 0;
}

/** Exports several sources as one JSON list. */
async function exportList(options: Options): Promise<number> {
  const codes: number[] = [];
  const problem = await writeText(listPieces(options, codes), options.out);
  return problem ?? codes[0] ?? 0;
}

async function* listPieces({ wanted, form, filter, redact }: Options, codes: number[]): AsyncGenerator<string> {
  let separator = "[\n";
  for (const one of wanted) {
    const opened = await openSource(one);
    if (!opened.ok) {
      codes.push(complain(opened.code, opened.problem));
      continue;
    }
    const source = opened.value;
    const text = exportText(source, form, filter, redact);
    if (!text.ok) {
      codes.push(complain(BAD_USAGE, text.problem));
      source.close();
      continue;
    }
    yield `${separator}{"source": ${JSON.stringify(source.name)}, "rows": `;
    yield* textsOf(text.value);
    yield "}";
    separator = ",\n";
    complainOf(source);
    source.close();
  }
  yield separator === "[\n" ? "[]\n" : "\n]\n";
}

interface Options {
  readonly wanted: readonly Wanted[];
  readonly form: ExportForm;
  readonly filter: string;
  readonly redact: boolean;
  readonly out: string | null;
}

function optionsOf({ values, positionals }: ParsedFor<"export">): Result<Options> {
  const problem = emptyAmong(values);
  if (problem !== null) return failure(problem);
  const form = formOf(values.format, values.table);
  if (!form.ok) return form;
  const wanted = wantedOf(positionals, values);
  if (!wanted.ok) return wanted;
  if (positionals.length > 1 && form.value.format !== "json")
    return failure("Several files can be written only as json.");
  return success({
    wanted: wanted.value,
    form: form.value,
    filter: values.filter ?? "",
    redact: !(values["no-redact"] ?? false),
    out: values.out ?? null,
  });
}

function formOf(format: string | undefined, table: string | undefined): Result<ExportForm> {
  if (table === undefined) {
    if (format === "har" || format === "json" || format === "csv" || format === "md")
      return success({ format, table: null });
    return failure(
      `--format takes har, json, csv or md${format === undefined ? "" : `, not "${format}"`}. With --table, it takes json, csv or md.`,
    );
  }
  if (!EXPORT_TABLES.some((name) => name === table))
    return failure(`--table takes ${EXPORT_TABLES.join(", ")}, not "${table}".`);
  if (format !== "json" && format !== "csv" && format !== "md")
    return failure("--table needs --format json, csv or md.");
  return success({ format, table: table as ExportTable });
}

async function* textsOf(pieces: AsyncGenerator<{ readonly text: string }>): AsyncGenerator<string> {
  for await (const { text } of pieces) yield text;
}
