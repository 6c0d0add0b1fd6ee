import { parseArgs } from "node:util";
import { openSource, type Wanted } from "../extensions/proxy/export/opened-source.ts";
import { reportOf } from "../extensions/proxy/export/session-report.ts";
import { BAD_USAGE } from "../extensions/proxy/process/exit-codes.ts";
import { reportMarkdown, reportText } from "../src/engine/interchange/report-text.ts";
import type { SourceReport } from "../src/engine/interchange/source-report.ts";
import { complain, emptyAmong, readAndClosed, runCommand, wantedOf, writeText } from "./command.ts";

const USAGE = `npm run report -- [FILE.har …] [--format text|json|md]
  FILE.har …                  HAR files to look through; without one, a recording:
  --session current|last|ID   which recording (default: the newest)
  --data-dir DIR              where Weir keeps its data
  --no-redact                 keep cookies, tokens and other secrets
  --out FILE                  instead of standard output
Names what makes traffic slow, the costliest cause first. JSON of one file is an object, of several a list of them.`;

const FORMATS = ["text", "json", "md"] as const;

interface Options {
  readonly wanted: readonly Wanted[];
  readonly format: (typeof FORMATS)[number];
  readonly redact: boolean;
  readonly out: string | null;
}

/** Reports the findings in HAR files or a recording. Returns the exit code. */
async function main(): Promise<number> {
  if (process.argv.includes("--help") || process.argv.includes("-h")) {
    console.log(USAGE);
    return 0;
  }
  const options = optionsOf();
  if (typeof options === "string") return complain(BAD_USAGE, `${options}\n${USAGE}`);
  const codes: number[] = [];
  const problem = await writeText(reportPieces(options, codes), options.out);
  return problem ?? codes[0] ?? 0;
}

/** The reports one after the other, as each is made; `codes` gets an exit code for each source that cannot be read. */
async function* reportPieces({ wanted, format, redact }: Options, codes: number[]): AsyncGenerator<string> {
  const isList = format === "json" && wanted.length > 1;
  let count = 0;
  if (isList) yield "[\n";
  for (const one of wanted) {
    const source = await openSource(one);
    if (source.kind === "refused") {
      codes.push(complain(source.code, source.sentence));
      continue;
    }
    const report = await readAndClosed(source, () => reportOf(source, redact));
    if ("kind" in report) {
      codes.push(complain(report.code, report.sentence));
      continue;
    }
    if (count > 0) yield isList ? ",\n" : "\n";
    count += 1;
    yield* textsOf(report, format);
  }
  if (isList) yield "\n]";
  if (format === "json" && (isList || count > 0)) yield "\n";
}

function* textsOf(report: SourceReport, format: Options["format"]): Generator<string> {
  if (format === "json") yield JSON.stringify(report, null, 2);
  else yield* format === "md" ? reportMarkdown(report) : reportText(report);
}

function optionsOf(): Options | string {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        "data-dir": { type: "string" },
        session: { type: "string" },
        format: { type: "string" },
        "no-redact": { type: "boolean" },
        out: { type: "string" },
      },
    });
    const format = FORMATS.find((known) => known === (values.format ?? "text"));
    const problem = emptyAmong(values);
    if (problem !== null) return problem;
    if (format === undefined) return `--format takes ${FORMATS.join(", ")}, not "${values.format}".`;
    const wanted = wantedOf(positionals, values);
    if (typeof wanted === "string") return wanted;
    return {
      wanted,
      format,
      redact: !(values["no-redact"] ?? false),
      out: values.out ?? null,
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

await runCommand("report", main);
