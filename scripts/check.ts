import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type OpenedSource, openSource, type Wanted } from "../extensions/proxy/export/opened-source.ts";
import { reportOf } from "../extensions/proxy/export/session-report.ts";
import { BAD_USAGE, BUDGET_BROKEN, TOO_FEW } from "../extensions/proxy/process/exit-codes.ts";
import { type Budget, budgetOf } from "../src/engine/budget/budget.ts";
import { type Judged, VERDICT_FORMATS, type VerdictFormat, verdictText } from "../src/engine/budget/verdict-texts.ts";
import { type Requested, verdictsOf } from "../src/engine/budget/verdicts.ts";
import { endpointStatsOf } from "../src/engine/session/lists/endpoint-lists.ts";
import { complain, emptyAmong, readAndClosed, runCommand, wantedOf, writeText } from "./command.ts";

const USAGE = `weir check [FILE.har …] [--budget FILE] [--format ${VERDICT_FORMATS.join("|")}]
  FILE.har …                  HAR files to judge; without one, a recording:
  --session current|last|ID   which recording (default: the newest)
  --data-dir DIR              where Weir keeps its data
  --budget FILE               the limits (default: weir.budget.json)
  --out FILE                  instead of standard output
Exit code: 0 all kept, 1 a limit is broken, 6 too few requests to tell of one.`;

const DEFAULT_BUDGET = "weir.budget.json";

interface Options {
  readonly wanted: readonly Wanted[];
  readonly budget: string;
  readonly format: VerdictFormat;
  readonly out: string | null;
}

/** Judges HAR files or a recording by a budget. Returns the exit code. */
async function main(): Promise<number> {
  if (process.argv.includes("--help") || process.argv.includes("-h")) {
    console.log(USAGE);
    return 0;
  }
  const options = optionsOf();
  if (typeof options === "string") return complain(BAD_USAGE, `${options}\n${USAGE}`);
  const budget = budgetIn(options.budget);
  if (typeof budget === "string") return complain(BAD_USAGE, budget);
  const all: Judged[] = [];
  for (const one of options.wanted) {
    const source = await openSource(one);
    if (source.kind === "refused") return complain(source.code, source.sentence);
    const judged = await readAndClosed(source, () => judgedBy(budget, source));
    if ("kind" in judged) return complain(judged.code, judged.sentence);
    all.push(judged);
  }
  const problem = await writeText([verdictText(all, options.format)], options.out);
  return problem ?? codeOf(all);
}

async function judgedBy(budget: Budget, source: OpenedSource): Promise<Judged | null> {
  const report = await reportOf(source, true);
  if (report === null) return null;
  const requested = source.session.tallies.counted().map((tally): Requested => {
    return { endpoint: tally.endpoint, requests: tally.requests, stats: endpointStatsOf(tally) };
  });
  return { source: source.name, ...verdictsOf(budget, requested, report.findings) };
}

/** A broken limit is worse than one that cannot be told. */
function codeOf(all: readonly Judged[]): number {
  const outcomes = new Set(all.flatMap(({ verdicts }) => verdicts.map(({ outcome }) => outcome)));
  if (outcomes.has("broken")) return BUDGET_BROKEN;
  return outcomes.has("too-few") ? TOO_FEW : 0;
}

/** The budget, or why it cannot be used, as a sentence. */
function budgetIn(file: string): Budget | string {
  try {
    const budget = budgetOf(readFileSync(file, "utf8"));
    return typeof budget === "string" ? `${file}: ${budget}` : budget;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? `There is no budget ${file}.` : `${file} cannot be read: ${message}.`;
  }
}

function optionsOf(): Options | string {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        "data-dir": { type: "string" },
        session: { type: "string" },
        budget: { type: "string" },
        format: { type: "string" },
        out: { type: "string" },
      },
    });
    const format = VERDICT_FORMATS.find((known) => known === (values.format ?? "text"));
    const problem = emptyAmong(values);
    if (problem !== null) return problem;
    if (format === undefined) return `--format takes ${VERDICT_FORMATS.join(", ")}, not "${values.format}".`;
    const wanted = wantedOf(positionals, values);
    if (typeof wanted === "string") return wanted;
    return {
      wanted,
      budget: values.budget ?? DEFAULT_BUDGET,
      format,
      out: values.out ?? null,
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

await runCommand("check", main);
