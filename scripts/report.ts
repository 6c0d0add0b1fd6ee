import { openSource, type Wanted } from "../extensions/proxy/export/opened-source.ts";
import { reportOptionsOf } from "../extensions/proxy/export/session-report.ts";
import { BAD_USAGE } from "../extensions/proxy/process/exit-codes.ts";
import { VERSION } from "../extensions/proxy/version.ts";
import { type EndpointChange, endpointChangeFrom } from "../src/engine/insights/what-if/endpoint-changes.ts";
import { type PageReport, reportHtml, titleOfPage } from "../src/engine/interchange/report-html.ts";
import { reportMarkdown, reportText } from "../src/engine/interchange/report-text.ts";
import { visibleJson } from "../src/engine/interchange/table.ts";
import { failure, type Result, success } from "../src/engine/model/result.ts";
import { pageReportOf } from "../src/engine/report/page-report.ts";
import { complain, emptyAmong, readAndClosed, wantedOf, writeText } from "./command.ts";
import { listedBy } from "./command-help.ts";
import type { ParsedFor } from "./command-table.ts";
import { Progress } from "./progress.ts";

const FORMATS = ["text", "json", "md", "html"] as const;

interface Options {
  readonly wanted: readonly Wanted[];
  readonly format: (typeof FORMATS)[number];
  readonly redact: boolean;
  /** The changes of `--what-if`. */
  readonly changes: readonly EndpointChange[];
  readonly out: string | null;
}

/** Reports the findings in HAR files or a recording. Returns the exit code. */
export async function main(given: ParsedFor<"report">): Promise<number> {
  const read = optionsOf(given);
  if (!read.ok) return complain(BAD_USAGE, read.problem, listedBy("report"));
  const options = read.value;
  const codes: number[] = [];
  const problem = await writeText(reportPieces(options, codes), options.out);
  return problem ?? codes[0] ?? 0;
}

/** The reports, each as soon as it is made. `codes` gets an exit code for each source that cannot be read. */
async function* reportPieces(options: Options, codes: number[]): AsyncGenerator<string> {
  const { wanted, format, redact } = options;
  if (format === "html") {
    const pages: PageReport[] = [];
    for await (const page of reportsOf(options, codes)) pages.push(page);
    const facts = { version: VERSION, madeAt: new Date().toISOString(), redact };
    return yield* pages.length === 0 ? [] : reportHtml(pages, facts);
  }
  const isList = format === "json" && wanted.length > 1;
  let count = 0;
  if (isList) yield "[\n";
  for await (const page of reportsOf(options, codes)) {
    if (count > 0) yield isList ? ",\n" : "\n";
    count += 1;
    yield* textsOf(page, format, redact);
  }
  if (isList) yield "\n]";
  if (format === "json" && (isList || count > 0)) yield "\n";
}

/** The report and the endpoints of each source, as soon as they are made. */
async function* reportsOf({ wanted, redact, changes }: Options, codes: number[]): AsyncGenerator<PageReport> {
  for (const one of wanted) {
    const progress = new Progress();
    const name = "file" in one ? one.file : one.session;
    const opened = await openSource(one, (share) => progress.show(`Reading ${name}`, share));
    progress.end();
    if (!opened.ok) {
      codes.push(complain(opened.code, opened.problem));
      continue;
    }
    const source = opened.value;
    const read = await readAndClosed(source, async () => {
      const options = await reportOptionsOf(source);
      let count = 0;
      const pause = () => {
        count += 1;
        progress.show(`Following the requests of ${name}`, Math.min(1, count / Math.max(1, source.session.exchanges)));
        return options.pause?.();
      };
      return pageReportOf(source, { redact, changes, ...options, pause });
    });
    progress.end();
    const unknown = read.ok ? read.value.report.whatIf?.changes.find(({ requests }) => requests === 0) : undefined;
    if (!read.ok) codes.push(complain(read.code, read.problem));
    else if (unknown === undefined) yield read.value;
    else codes.push(complain(BAD_USAGE, `${source.name} has no request to "${unknown.endpoint}" (--what-if).`));
  }
}

function* textsOf(page: PageReport, format: Exclude<Options["format"], "html">, redact: boolean): Generator<string> {
  if (format === "json") return yield visibleJson(JSON.stringify(page.report, null, 2));
  const titled = { ...page.report, source: titleOfPage(page, redact) };
  yield* format === "md" ? reportMarkdown(titled) : reportText(titled);
}

function optionsOf({ values, positionals }: ParsedFor<"report">): Result<Options> {
  const format = FORMATS.find((known) => known === (values.format ?? "text"));
  const problem = emptyAmong(values);
  if (problem !== null) return failure(problem);
  if (format === undefined) return failure(`--format takes ${FORMATS.join(", ")}, not "${values.format}".`);
  const wanted = wantedOf(positionals, values);
  if (!wanted.ok) return wanted;
  const changes: EndpointChange[] = [];
  for (const text of values["what-if"] ?? []) {
    const change = endpointChangeFrom(text);
    if (!change.ok) return change;
    if (changes.some(({ endpoint }) => endpoint === change.value.endpoint))
      return failure(`--what-if names "${change.value.endpoint}" twice.`);
    changes.push(change.value);
  }
  return success({
    wanted: wanted.value,
    format,
    redact: !(values["no-redact"] ?? false),
    changes,
    out: values.out ?? null,
  });
}
