import { resolve } from "node:path";
import type { OpenedSource, Wanted } from "../extensions/proxy/export/opened-source.ts";
import type { ComparisonSide } from "../extensions/proxy/export/source-comparison.ts";
import { BAD_USAGE, BUDGET_BROKEN, TOO_FEW } from "../extensions/proxy/process/exit-codes.ts";
import { defaultDataFolder } from "../extensions/proxy/storage/data-folder.ts";
import { VERSION } from "../extensions/proxy/version.ts";
import type { AcceptedEntry } from "../src/engine/budget/accepted-file.ts";
import { acceptableIn, growthIn } from "../src/engine/budget/accepted-growth.ts";
import { acceptanceNotes, withAcceptance } from "../src/engine/budget/accepted-verdicts.ts";
import { type Budget, budgetOf, limitsNothing, NO_LIMITS } from "../src/engine/budget/budget.ts";
import { type Requested, requestsVerdict, verdictsOf } from "../src/engine/budget/endpoint-verdicts.ts";
import { findingVerdict } from "../src/engine/budget/finding-verdicts.ts";
import { loadVerdictsOf } from "../src/engine/budget/load-verdicts.ts";
import { changedEndpoints, regressionsOf } from "../src/engine/budget/regressions.ts";
import type { CheckedFile, Judged, Verdict, VerdictContext } from "../src/engine/budget/verdict.ts";
import { withChanges } from "../src/engine/budget/verdict-changes.ts";
import { VERDICT_FORMATS, type VerdictFormat, verdictText } from "../src/engine/budget/verdict-texts.ts";
import { redactedFinding } from "../src/engine/interchange/finding-redaction.ts";
import { identityText } from "../src/engine/interchange/fingerprint.ts";
import { redactedUrl } from "../src/engine/interchange/redaction.ts";
import type { Finding } from "../src/engine/model/finding.ts";
import { aliasedEndpointOf, type HostAliases, hostAliasesOf } from "../src/engine/model/host-alias.ts";
import { failure, type Result, success } from "../src/engine/model/result.ts";
import { endpointStatsOf } from "../src/engine/session/lists/endpoint-lists.ts";
import { complain, emptyAmong, sourceNamed, wantedOf, writeText } from "./command.ts";
import { listedBy } from "./command-help.ts";
import { type ParsedFor, SAMPLE_BUDGET } from "./command-table.ts";
import {
  acceptedIn,
  baselineOf,
  comparedWith,
  DEFAULT_ACCEPTED,
  isSameFile,
  readEach,
  regressionFingerprint,
  textIn,
} from "./judged-source.ts";

const DEFAULT_BUDGET = "weir.budget.json";
const NO_BUDGET = missing(DEFAULT_BUDGET);
/** What to do without a budget. */
const NEXT_STEP = `Save limits as ${DEFAULT_BUDGET}, or compare with --baseline FILE.har|SESSION. To start from:\n${SAMPLE_BUDGET}`;

interface Options {
  readonly wanted: readonly Wanted[];
  /** The budget file; `null`: the default file, which may be missing if there is a baseline. */
  readonly budget: string | null;
  readonly baseline: Wanted | null;
  readonly isOnlyNew: boolean;
  /** The accepted file; `null`: the default file, which may be missing. */
  readonly accepted: string | null;
  readonly aliases: HostAliases;
  readonly format: VerdictFormat;
  readonly out: string | null;
}

/** What each source is judged by. */
interface Rules {
  readonly limits: Budget;
  readonly before: ComparisonSide | null;
  /** Whether only what is new or worse than in the baseline fails. */
  readonly isOnlyNew: boolean;
  /** Whether every sure finding must not be, for lack of a budget. */
  readonly isWithoutBudget: boolean;
  readonly entries: readonly AcceptedEntry[];
  readonly aliases: HostAliases;
  /** The day by UTC, as in "2026-12-31". */
  readonly today: string;
}

/** The verdicts on a source, the fingerprints that occur in it, and with `--new` the new findings without a limit. */
interface JudgedSource extends Judged {
  readonly fingerprints: readonly string[];
  readonly unlimited: readonly string[];
}

/** The most findings without a limit that are named. */
const MOST_NAMED = 10;

/** Judges HAR files or a recording by a budget. Returns the exit code. */
export async function main(given: ParsedFor<"check">): Promise<number> {
  const parsed = optionsOf(given);
  if (!parsed.ok) return complain(BAD_USAGE, parsed.problem, listedBy("check"));
  const options = parsed.value;
  const limited = budgetIn(options);
  if (!limited.ok) return complain(BAD_USAGE, limited.problem, limited.problem === NO_BUDGET ? NEXT_STEP : null);
  const { limits, budget } = limited.value;
  if (budget !== null && options.baseline === null && limitsNothing(limits))
    return complain(
      BAD_USAGE,
      `${budget.file} limits nothing: it has no limit under "endpoints", "findings" or "load".`,
    );
  const acceptedFile = options.accepted ?? DEFAULT_ACCEPTED;
  const accepted = acceptedIn(acceptedFile, options.accepted !== null);
  if (!accepted.ok) return complain(BAD_USAGE, accepted.problem);
  const before = options.baseline === null ? null : await baselineOf(options.baseline, options.aliases);
  if (before !== null && !before.ok) return complain(before.code, before.problem);
  const entries = accepted.value.accepted;
  const today = new Date().toISOString().slice(0, "2026-12-31".length);
  const { aliases, isOnlyNew } = options;
  const rules = {
    limits,
    before: before?.value ?? null,
    isOnlyNew,
    isWithoutBudget: budget === null,
    entries,
    aliases,
    today,
  };
  const read = await readEach(options.wanted, rules.before, aliases, (side, source) => judgedBy(rules, side, source));
  if (!read.ok) return complain(read.code, read.problem);
  const all = read.value;
  const occurring = all.flatMap(({ source, fingerprints }) =>
    fingerprints.map((fingerprint) => ({ source, fingerprint })),
  );
  const unlimited = all.flatMap(({ source, unlimited: texts }) =>
    texts.map((text) => `${source}: ${text} is new. Nothing limits it, so it does not fail.`),
  );
  const more = unlimited.length - MOST_NAMED;
  const notes = [
    ...acceptanceNotes(acceptedFile, entries, occurring),
    ...unlimited.slice(0, MOST_NAMED),
    ...(more > 0 ? [`And ${more} more new findings that nothing limits.`] : []),
  ];
  const context = {
    version: VERSION,
    budget,
    notes,
    baseline: before?.value.compared.source ?? null,
    accepted: fileIn(acceptedFile),
  };
  const problem = await writeText([verdictText(all.map(withoutFingerprints), options.format, context)], options.out);
  return problem ?? exitCodeOf(all);
}

/** A file with its text; `null` if there is none. */
function fileIn(file: string): CheckedFile | null {
  const text = textIn(file);
  return text.ok && text.value !== null ? { file, text: text.value } : null;
}

function withoutFingerprints({ fingerprints: _, unlimited: _unlimited, ...judged }: JudgedSource): Judged {
  return judged;
}

/** Those of the new findings that no verdict is about, each in words. */
function unlimitedAmong(added: readonly Finding[], verdicts: readonly Verdict[], aliases: HostAliases) {
  const judged = new Set(verdicts.map(({ fingerprint }) => fingerprint));
  const kinds = new Set(
    verdicts.flatMap(({ what, subject, place }) => (what === "finding" && place !== null ? [subject] : [])),
  );
  return added
    .filter(({ kind, fingerprint = "" }) => kind !== "regression" && !kinds.has(kind) && !judged.has(fingerprint))
    .map((finding) => identityText(finding, aliases));
}

function judgedBy(rules: Rules, side: ComparisonSide, { session, name }: OpenedSource): JudgedSource {
  const { limits, before, entries, aliases, today, isOnlyNew } = rules;
  const { report, loads } = side;
  const findings = report.findings.map(redactedFinding);
  const requested = session.tallies.counted().map((tally): Requested => {
    return { endpoint: tally.endpoint, requests: tally.requests, stats: endpointStatsOf(tally) };
  });
  const kept = [verdictsOf(limits, requested, findings), loadVerdictsOf(limits.load ?? {}, loads)];
  const few = [
    requestsVerdict(report.exchanges, limits.requests, ""),
    before === null || !isOnlyNew ? null : requestsVerdict(before.report.exchanges, limits.requests, "in the baseline"),
  ].filter((verdict) => verdict !== null);
  const sides = before === null ? null : comparedWith(before, side, aliases);
  const slower = sides === null ? null : regressionsOf(sides.compared, regressionFingerprint(aliases));
  const found = isOnlyNew && rules.isWithoutBudget ? sureFindings(findings) : [];
  const judged = slower === null ? kept : [...kept, slower];
  const all = [...few, ...found, ...judged.flatMap(({ verdicts }) => verdicts)];
  const names = new Map<string, string>(
    requested.map(({ endpoint }) => [endpoint, aliasedEndpointOf(endpoint, aliases)]),
  );
  const named = (subject: string) => names.get(subject) ?? subject;
  const { added = [], gone = [], worse = [] } = sides?.findings ?? {};
  const costsIn = (one: ComparisonSide) =>
    acceptableIn(one.report, one.figures.endpoints, regressionFingerprint(aliases));
  const worseNow = new Set(worse.map(({ now }) => now.fingerprint ?? ""));
  const growthOf = growthIn(costsIn(side), before === null ? new Map() : costsIn(before), worseNow, entries);
  const accepted = withAcceptance(all, findings, entries, today, growthOf);
  return {
    source: side.compared.label === "" ? name : redactedUrl(side.compared.label),
    verdicts: (sides === null ? accepted : withChanges(accepted, sides, isOnlyNew)).map((verdict) => {
      return { ...verdict, subject: named(verdict.subject) };
    }),
    unjudged: judged.reduce((sum, one) => sum + one.unjudged, 0),
    changed: (sides === null ? [] : changedEndpoints(sides.compared)).map((one) => {
      return { ...one, endpoint: named(one.endpoint) };
    }),
    gone: gone.map(redactedFinding).map(({ kind, summary, fingerprint = "" }) => ({ kind, summary, fingerprint })),
    unlimited: isOnlyNew ? unlimitedAmong(added, accepted, aliases) : [],
    fingerprints: [...findings, ...(slower?.verdicts ?? [])].flatMap(({ fingerprint }) => fingerprint ?? []),
  };
}

/** The findings that must not be if there is no budget. The baseline itself tells what became slower. */
function sureFindings(findings: readonly Finding[]): readonly Verdict[] {
  return findings
    .filter(({ kind, confidence }) => confidence !== "possible" && kind !== "regression")
    .map((finding) => findingVerdict(finding));
}

/** The exit code for all verdicts: a broken limit takes precedence over a limit that cannot be judged. */
function exitCodeOf(all: readonly Judged[]): number {
  const outcomes = new Set(all.flatMap(({ verdicts }) => verdicts.map(({ outcome }) => outcome)));
  if (outcomes.has("broken")) return BUDGET_BROKEN;
  return outcomes.has("too-few") ? TOO_FEW : 0;
}

/** Reads the limits. `budget`: the file that contains them; `null` if there is none. */
function budgetIn({
  budget: given,
  baseline,
}: Options): Result<Pick<VerdictContext, "budget"> & { readonly limits: Budget }> {
  const file = given ?? DEFAULT_BUDGET;
  const read = textIn(file);
  if (!read.ok) return read;
  const text = read.value;
  if (text === null && given === null && baseline !== null) return success({ limits: NO_LIMITS, budget: null });
  if (text === null) return failure(missing(file));
  const limits = budgetOf(text);
  return limits.ok ? success({ limits: limits.value, budget: { file, text } }) : failure(`${file}: ${limits.problem}`);
}

/** With the whole path, because npm may have changed the folder. */
function missing(file: string): string {
  return `There is no budget ${resolve(file)}.`;
}

function optionsOf({ values, positionals }: ParsedFor<"check">): Result<Options> {
  const format = VERDICT_FORMATS.find((known) => known === (values.format ?? "text"));
  const problem = emptyAmong(values);
  if (problem !== null) return failure(problem);
  if (format === undefined) return failure(`--format takes ${VERDICT_FORMATS.join(", ")}, not "${values.format}".`);
  const baseline =
    values.baseline === undefined ? null : sourceNamed(values.baseline, values["data-dir"] ?? defaultDataFolder());
  const isOnlyNew = values.new ?? false;
  if (isOnlyNew && baseline === null) return failure("--new needs a --baseline, which tells what is known.");
  // With HAR files, a data folder is valid only if the baseline is a recording.
  const isOfBaseline = positionals.length > 0 && baseline !== null && "session" in baseline;
  const wanted = wantedOf(positionals, isOfBaseline ? { session: values.session } : values);
  if (!wanted.ok) return wanted;
  const same = wanted.value.find((one) => baseline !== null && isSameFile(one, baseline));
  if (same !== undefined && "file" in same) return failure(`${same.file} is also the baseline, so nothing can differ.`);
  const aliases = hostAliasesOf(values["host-alias"] ?? []);
  if (!aliases.ok) return failure(`--host-alias: ${aliases.problem}`);
  return success({
    wanted: wanted.value,
    budget: values.budget ?? null,
    baseline,
    isOnlyNew,
    accepted: values.accepted ?? null,
    aliases: aliases.value,
    format,
    out: values.out ?? null,
  });
}
