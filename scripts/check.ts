import { existsSync, readFileSync } from "node:fs";
import { type OpenedSource, openSource, type Refusal, type Wanted } from "../extensions/proxy/export/opened-source.ts";
import { reportOf } from "../extensions/proxy/export/session-report.ts";
import { BAD_USAGE, BUDGET_BROKEN, TOO_FEW } from "../extensions/proxy/process/exit-codes.ts";
import { defaultDataFolder } from "../extensions/proxy/storage/data-folder.ts";
import { codeOf, errorText } from "../extensions/proxy/storage/private-file.ts";
import { VERSION } from "../extensions/proxy/version.ts";
import { type Budget, budgetOf, LIMITS } from "../src/engine/budget/budget.ts";
import { regressionsOf } from "../src/engine/budget/regressions.ts";
import {
  type Judged,
  VERDICT_FORMATS,
  type VerdictContext,
  type VerdictFormat,
  verdictText,
} from "../src/engine/budget/verdict-texts.ts";
import { type Requested, verdictsOf } from "../src/engine/budget/verdicts.ts";
import type { CompareRecord } from "../src/engine/messages/compare-messages.ts";
import { failure, type Result, success, unwrap } from "../src/engine/model/result.ts";
import { compareRows } from "../src/engine/session/lists/compare-list.ts";
import { endpointStatsOf } from "../src/engine/session/lists/endpoint-lists.ts";
import { figuresOf, type SessionFigures } from "../src/engine/session/lists/figures.ts";
import { complain, emptyAmong, readAndClosed, wantedOf, writeText } from "./command.ts";
import { listedBy } from "./command-help.ts";
import type { ParsedFor } from "./command-table.ts";

const DEFAULT_BUDGET = "weir.budget.json";

interface Options {
  readonly wanted: readonly Wanted[];
  /** The budget file; `null`: the default file, which may be missing if there is a baseline. */
  readonly budget: string | null;
  readonly baseline: Wanted | null;
  readonly format: VerdictFormat;
  readonly out: string | null;
}

/** Judges HAR files or a recording by a budget. Returns the exit code. */
export async function main(given: ParsedFor<"check">): Promise<number> {
  const read = optionsOf(given);
  if (!read.ok) return complain(BAD_USAGE, read.problem, listedBy("check"));
  const options = read.value;
  const limited = budgetIn(options);
  if (!limited.ok) return complain(BAD_USAGE, limited.problem);
  const { limits, budget } = limited.value;
  if (budget !== null && options.baseline === null && limitsNothing(limits))
    return complain(
      BAD_USAGE,
      `${budget.file} limits nothing: no endpoint has a limit, and the list "no" under "findings" is empty.`,
    );
  const before = options.baseline === null ? null : await baselineOf(options.baseline);
  if (before !== null && !before.ok) return complain(before.code, before.problem);
  const all: Judged[] = [];
  for (const one of options.wanted) {
    const source = await openSource(one);
    if (!source.ok) return complain(source.code, source.problem);
    const judged = await readAndClosed(source.value, () => judgedBy(limits, before?.value ?? null, source.value));
    if (!judged.ok) return complain(judged.code, judged.problem);
    all.push(judged.value);
  }
  const problem = await writeText([verdictText(all, options.format, { version: VERSION, budget })], options.out);
  return problem ?? exitCodeOf(all);
}

/** The figures of the session or file to compare with. */
async function baselineOf(wanted: Wanted): Promise<Result<SessionFigures, Refusal>> {
  const source = await openSource(wanted);
  if (!source.ok) return source;
  const { session, name } = source.value;
  const figures = await readAndClosed(source.value, async () => figuresOf(session));
  return session.table.slowed.isEmpty ? figures : slowedBaseline(name);
}

/** docs/specification.md, Conditions: a slowed session is no baseline. */
function slowedBaseline(name: string): Refusal {
  const problem = `${name} was slowed on purpose, so it is no baseline. Compare with one recorded without conditions.`;
  return { ...failure(problem), code: BAD_USAGE };
}

async function judgedBy(budget: Budget, before: SessionFigures | null, source: OpenedSource): Promise<Judged | null> {
  const report = await reportOf(source, true);
  if (report === null) return null;
  const requested = source.session.tallies.counted().map((tally): Requested => {
    return { endpoint: tally.endpoint, requests: tally.requests, stats: endpointStatsOf(tally) };
  });
  const limits = verdictsOf(budget, requested, report.findings);
  if (before === null) return { source: source.name, ...limits };
  const slower = regressionsOf(comparedWith(before, source));
  return {
    source: source.name,
    verdicts: [...limits.verdicts, ...slower.verdicts],
    unjudged: limits.unjudged + slower.unjudged,
  };
}

/** Compares like the window's Compare, with the same settings. */
function comparedWith(before: SessionFigures, { session, settings }: OpenedSource): readonly CompareRecord[] {
  const pair = { left: before, right: figuresOf(session) };
  return unwrap(compareRows(pair, settings, [], { column: "verdict", descending: true }, EVERY_ROW)).records;
}

const EVERY_ROW = { from: 0, count: Number.POSITIVE_INFINITY };

/** The exit code for all verdicts: a broken limit takes precedence over a limit that cannot be judged. */
function exitCodeOf(all: readonly Judged[]): number {
  const outcomes = new Set(all.flatMap(({ verdicts }) => verdicts.map(({ outcome }) => outcome)));
  if (outcomes.has("broken")) return BUDGET_BROKEN;
  return outcomes.has("too-few") ? TOO_FEW : 0;
}

function limitsNothing({ endpoints, findings }: Budget): boolean {
  const isLimited = Object.values(endpoints).some((one) => LIMITS.some((limit) => one[limit] !== undefined));
  return !isLimited && findings.no.length === 0;
}

/** Reads the limits. `budget`: the file that contains them; `null` if there is none. */
function budgetIn({
  budget: given,
  baseline,
}: Options): Result<Pick<VerdictContext, "budget"> & { readonly limits: Budget }> {
  const file = given ?? DEFAULT_BUDGET;
  try {
    // Some editors and PowerShell write a byte order mark, which JSON does not allow (RFC 8259, 8.1).
    const text = readFileSync(file, "utf8").replace(/^\ufeff/, "");
    const limits = budgetOf(text);
    return limits.ok
      ? success({ limits: limits.value, budget: { file, text } })
      : failure(`${file}: ${limits.problem}`);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") return failure(`${file} cannot be read: ${errorText(error)}.`);
    if (given === null && baseline !== null) return success({ limits: NO_LIMITS, budget: null });
    return failure(`There is no budget ${file}.`);
  }
}

const NO_LIMITS: Budget = Object.freeze({ endpoints: {}, findings: { no: [] } });

function optionsOf({ values, positionals }: ParsedFor<"check">): Result<Options> {
  const format = VERDICT_FORMATS.find((known) => known === (values.format ?? "text"));
  const problem = emptyAmong(values);
  if (problem !== null) return failure(problem);
  if (format === undefined) return failure(`--format takes ${VERDICT_FORMATS.join(", ")}, not "${values.format}".`);
  const baseline = values.baseline === undefined ? null : baselineNamed(values.baseline, values["data-dir"]);
  // With HAR files, a data folder is valid only if the baseline is a recording.
  const isOfBaseline = positionals.length > 0 && baseline !== null && "session" in baseline;
  const wanted = wantedOf(positionals, isOfBaseline ? { session: values.session } : values);
  if (!wanted.ok) return wanted;
  return success({
    wanted: wanted.value,
    budget: values.budget ?? null,
    baseline,
    format,
    out: values.out ?? null,
  });
}

/** A HAR file if a file of that name exists, or if the name looks like a path; else a recording. */
function baselineNamed(name: string, dataDir = defaultDataFolder()): Wanted {
  return existsSync(name) || /\.har$|[\\/]/i.test(name) ? { file: name } : { session: name, dataDir };
}
